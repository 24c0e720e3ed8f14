import { clipped, several } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import { saysMore } from "../../common/nearNames.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { fieldsOf, inBrackets, keyText, typeText } from "../../common/schemas/typeText.js";
import type { OfferedTool } from "../../nodes/kit/stageInputs.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";

/**
 * Tools as signatures with descriptions: about half the tokens of their schemas.
 *
 * @param options.isBrief cuts long descriptions off
 */
export function toolLines(tools: readonly OfferedTool[], { isBrief = false } = {}): string {
  return tools.map((tool) => toolLine(tool, isBrief ? BRIEF : WHOLE)).join("\n");
}

/** Most characters of the description of a tool, and of an argument. */
const BRIEF = { tool: 300, argument: 120 };
const WHOLE = { tool: Infinity, argument: Infinity };

function toolLine({ returns, seen, ...tool }: OfferedTool, most: typeof BRIEF): string {
  const type = returns ?? seen?.type;
  const times = returns || !seen ? "" : ` (as seen ${several(seen.times, "time")})`;
  const output = type ? `: ${outputText(type)}${times}` : "";
  const description = clipped(oneLine(tool.description.replace(FAILURES, "")), most.tool);
  const parameters = parameterTexts(tool, most.argument).map((text) => `\n    ${text}`);
  return `- ${signatureText(tool)}${output}\n  ${description}${parameters.join("")}`;
}

/** A last section on failures, "Error Responses:", which are told when they happen. */
const FAILURES =
  /\n\s*(?:Errors?|Raises|Exceptions)\b[\p{L} ]*:\s*\n(?![^]*\n\s*\p{Lu}[\p{L} ]*:\s*\n)[^]*$/u;

function parameterTexts(
  { name: tool, description: said, parameters }: OfferedTool,
  most: number,
): string[] {
  const { properties } = inlineRefs(parameters);
  if (!isSchema(properties)) return [];
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const { description } = schema;
    const isMore = typeof description === "string" && saysMore(description, [tool, said, name]);
    const told = isMore ? clipped(oneLine(description), most) : "";
    const text = [told, defaultText(schema, told)].filter(Boolean).join(" ");
    return text ? [`${name}: ${text}`] : [];
  });
}

/** The default, unless it is none or the description mentions it. */
function defaultText({ default: value }: JsonSchema, told: string): string {
  return value === undefined || value === null || /default/i.test(told)
    ? ""
    : `(default ${JSON.stringify(value)})`;
}

/** A tool as a TypeScript signature, in one line: "add(a: number, b?: number): number". */
export function signatureText({ name, parameters, returns }: OfferedTool): string {
  const fields = fieldsOf(inlineRefs(parameters)).map(
    ({ key, mark, type }) => `${key}${mark}: ${type}`,
  );
  return `${name}(${fields.join(", ")})${returns ? `: ${typeText(returns)}` : ""}`;
}

/**
 * What a tool returns, as briefly as references to it need: a scalar's type or an object's field names, with
 * `[]` after lists.
 */
export function outputText(schema: unknown): string {
  return isSchema(schema) ? partsText(inlineRefs(schema)) : "unknown";
}

function partsText(schema: unknown): string {
  const { type, items, properties } = keywordsOf(schema);
  if (type === "array") return `${inBrackets(partsText(items))}[]`;
  const fields = Object.entries(keywordsOf(properties));
  if (type !== "object" || fields.length === 0) return typeText(schema);
  return `{ ${fields.map(([name, field]) => fieldText(name, field)).join(", ")} }`;
}

/** A field's type is shown only if it has parts. */
function fieldText(name: string, schema: unknown): string {
  const { type, items } = keywordsOf(schema);
  const key = keyText(name);
  if (type === "array" && !hasFields(items)) return `${key}[]`;
  return hasFields(type === "array" ? items : schema) ? `${key}: ${partsText(schema)}` : key;
}

function hasFields(schema: unknown): boolean {
  const { type, properties, items } = keywordsOf(schema);
  if (type === "array") return hasFields(items);
  return Object.keys(keywordsOf(properties)).length > 0;
}

function keywordsOf(schema: unknown): Record<string, unknown> {
  return isSchema(schema) ? schema : {};
}

/** The declaration of `callTool` for a tool, for code of other tools. */
export function callSignatureText({ name, description, parameters, returns }: OfferedTool): string {
  const fields = fieldsOf(inlineRefs(parameters)).flatMap(({ key, mark, type, text }) => [
    ...(text ? [`  ${commentText(text)}`] : []),
    `  ${key}${mark}: ${type};`,
  ]);
  return [
    commentText(description),
    `function callTool(name: ${JSON.stringify(name)}, args: {`,
    ...fields,
    `}): Promise<${returns ? typeText(returns) : "unknown"}>;`,
  ].join("\n");
}

/** On one line that the text cannot end early. */
function commentText(text: string): string {
  return `/** ${oneLine(text.replaceAll("*/", "* /"))} */`;
}
