import { oneLine } from "../common/errors.js";
import { inlineRefs } from "../common/schemas/inlineRefs.js";
import { isSchema } from "../common/schemas/referredSchema.js";
import { fieldsOf, inBrackets, keyText, typeText } from "../common/schemas/typeText.js";
import type { OfferedTool } from "../nodes/shared/stageInputs.js";

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
