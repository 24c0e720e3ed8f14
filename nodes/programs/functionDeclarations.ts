import { clipped } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { codeNames } from "../../plans/language/codeNames.js";
import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { type Field, fieldsOf, inBrackets, typeText } from "../../common/schemas/typeText.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { OfferedTool } from "../shared/stageInputs.js";

/** How many tools, the likeliest ones, are described in full; the others are seldom used and described in brief. */
const IN_FULL = 8;

/** Most characters of a brief description of a tool, and of an argument. */
const BRIEF = { description: 100, argument: 40 };

/**
 * Tools as declarations, with descriptions of them and their arguments.
 *
 * @param tools the likeliest first
 */
export function declarationLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools
    .map((tool, at) => {
      const name = names.get(tool.name) ?? tool.name;
      return declarationText(tool, name, at >= IN_FULL);
    })
    .join("\n");
}

function declarationText(tool: OfferedTool, name: string, isBrief: boolean): string {
  const { description, parameters, returns } = tool;
  const result = returns ? resultText(inlineRefs(returns)) : "unknown";
  // `Promise<unknown>` says nothing about an awaited call.
  const promise = result === "unknown" ? "" : `: Promise<${result}>`;
  const tell: Telling = isBrief ? inBrief : oneLine;
  return [
    comment(tell(description, BRIEF.description)),
    `declare function ${name}(${argumentsText(inlineRefs(parameters), tell)})${promise};${returnsText(result, returns, tell)}`,
  ].join("\n");
}

/** Puts a text on one line, cut to this many characters if it should be brief. */
type Telling = (text: string, most: number) => string;

/** The first sentence of a text, cut to fit, between words if it has any. */
function inBrief(text: string, most: number): string {
  const line = oneLine(text);
  const sentence = /^.+?[.!?](?=\s+[A-Z]|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= most) return sentence;
  const lastWord = sentence.lastIndexOf(" ", most);
  return clipped(sentence, lastWord > most / 2 ? lastWord : most);
}

/** On one line if no argument has a description. */
function argumentsText(parameters: JsonSchema, tell: Telling): string {
  const fields = fieldsOf(parameters);
  if (fields.length === 0) return "";
  const told = fields.map((field) => ({ field, text: fieldText(field, parameters, tell) }));
  if (told.every(({ text }) => text === "")) {
    return `args: { ${fields.map(declared).join("; ")} }`;
  }
  const lines = told.map(({ field, text }) => `  ${declared(field)}${text && ` // ${text}`}`);
  return ["args: {", ...lines, "}"].join("\n");
}

function declared({ key, mark, type }: Field): string {
  return `${key}${mark}: ${type}`;
}

/** What an argument is for, and its default unless the text mentions it. */
function fieldText(field: Field, parameters: JsonSchema, tell: Telling): string {
  const { properties } = parameters;
  const schema = isSchema(properties) ? properties[field.name] : undefined;
  const { default: value } = isSchema(schema) ? schema : {};
  const text = tell(field.text, BRIEF.argument);
  const isTold = value === undefined || /default/i.test(text);
  return oneLine(`${text}${isTold ? "" : ` (default ${JSON.stringify(value)})`}`);
}

/** What a function returns; a field without a type is a string. */
function resultText(schema: unknown): string {
  if (!isSchema(schema)) return "unknown";
  const { type, items, properties } = schema;
  if (type === "array") return `${inBrackets(resultText(items))}[]`;
  if (type !== "object" || !isSchema(properties)) return typeText(schema);
  const fields = fieldsOf(schema).map(({ name, key, mark }) => {
    const text = resultText(properties[name]);
    return `${key}${mark}${text === "string" ? "" : `: ${text}`}`;
  });
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : typeText(schema);
}

/** Describes a result whose type says little: an id looks like any other text. */
function returnsText(result: string, returns: JsonSchema | undefined, tell: Telling): string {
  const text = returns?.["description"];
  if (typeof text !== "string" || !/^(string(\[\])?|unknown)$/.test(result)) return "";
  return text.trim() && ` // ${tell(text, BRIEF.argument)}`;
}

/** On one line that the text cannot end early. */
function comment(text: string): string {
  return `/** ${oneLine(text.replaceAll("*/", "* /"))} */`;
}
