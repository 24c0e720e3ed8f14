import { oneLine } from "../../common/errors.js";
import { codeNames } from "../../plans/codeNames.js";
import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { type Field, fieldsOf, inBrackets, typeText } from "../../common/schemas/typeText.js";
import type { JsonSchema } from "../../tools/tool.js";
import type { OfferedTool } from "../shared/stageInputs.js";

/** Tools as declarations, with descriptions of them and their arguments. */
export function declarationLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools.map((tool) => declarationText(tool, names.get(tool.name) ?? tool.name)).join("\n");
}

function declarationText(tool: OfferedTool, name: string): string {
  const { description, parameters, returns } = tool;
  const result = returns ? resultText(inlineRefs(returns)) : "unknown";
  return [
    comment(description),
    `declare function ${name}(${argumentsText(inlineRefs(parameters))}): Promise<${result}>;${returnsText(result, returns)}`,
  ].join("\n");
}

/** On one line if no argument has a description. */
function argumentsText(parameters: JsonSchema): string {
  const fields = fieldsOf(parameters);
  if (fields.length === 0) return "";
  const told = fields.map((field) => ({ field, text: fieldText(field, parameters) }));
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
function fieldText({ name, text }: Field, { properties }: JsonSchema): string {
  const schema = isSchema(properties) ? properties[name] : undefined;
  const { default: value } = isSchema(schema) ? schema : {};
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
function returnsText(result: string, returns: JsonSchema | undefined): string {
  const text = returns?.["description"];
  if (typeof text !== "string" || !/^(string(\[\])?|unknown)$/.test(result)) return "";
  return text.trim() && ` // ${oneLine(text)}`;
}

/** On one line that the text cannot end early. */
function comment(text: string): string {
  return `/** ${oneLine(text.replaceAll("*/", "* /"))} */`;
}
