import type { JsonSchema, ToolDefinition } from "../../tools/tool.js";
import { wordsOf } from "../../tools/library/toolText.js";

/** What BM25 reads of a tool: its name, its description, and the names and texts of its parameters. */
export function lexicalText({ name, description, parameters }: ToolDefinition): string {
  return [name, description, ...schemaTexts(parameters)].join(" ");
}

/** Words in lower case, identifiers taken apart; all are kept, since rare ones weigh most anyway. */
export function lexicalWords(text: string): string[] {
  const words = wordsOf(text);
  return words === "" ? [] : words.split(" ");
}

/** Names and descriptions of properties at any depth. */
function schemaTexts({ properties, items }: JsonSchema): string[] {
  const inside = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...inside.flatMap(([name, schema]) => [name, ...describedTexts(schema)]),
    ...describedTexts(items),
  ];
}

function describedTexts(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { description } = schema;
  return [...(typeof description === "string" ? [description] : []), ...schemaTexts(schema)];
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
