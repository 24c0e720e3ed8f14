import { wordsOf } from "./toolText.js";
import type { JsonSchema, ToolDefinition } from "../tool.js";

/** Words that say nothing about what a tool does: articles, pronouns, prepositions, auxiliaries. */
const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been but by can could did do does for from had has have
  how i if in into is it its just me my no not of on or our out please she he her his should so some
  such than that the their them then there these they this those to up us was we were what when where
  which who will with would you your`.split(/\s+/),
);

/** What BM25 reads of a tool: its name, its description, and the names and texts of its parameters. */
export function lexicalText({ name, description, parameters }: ToolDefinition): string {
  return [name, description, ...schemaTexts(parameters)].join(" ");
}

/**
 * The words of a text in lower case and the singular, without stop words; identifiers are taken apart.
 * Six ways were compared on eight public sets, among them all words, fewer stop words and verb endings
 * taken off. This kind, stop words and plurals, is better than all words on most of them and not the
 * best on each; since it was chosen there, figures on those sets flatter it somewhat.
 */
export function lexicalWords(text: string): string[] {
  return wordsOf(text)
    .split(" ")
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map(singular);
}

/** The S stemmer of Harman, "How effective is suffixing?", 1991: the first rule that fits, alone. */
function singular(word: string): string {
  if (word.length <= 3) return word;
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
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
