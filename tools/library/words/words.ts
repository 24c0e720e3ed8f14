import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../tool.js";
import { gistOf, wordsOf } from "../vectors/embedding.js";

/**
 * The fields of a tool that a search by words reads. Each has the most times that a word counts in it, because a text
 * that repeats a word does not say more, and what it then counts for.
 */
export const WORD_FIELDS = {
  name: { most: 7, weight: 3 },
  /** Its provider's name and its category. */
  source: { most: 3, weight: 2 },
  /** Its gist. */
  description: { most: 15, weight: 1.5 },
  parameters: { most: 7, weight: 1 },
  /** Texts and values of parameters, the rest of the description, and what its provider is. */
  details: { most: 7, weight: 0.5 },
} as const;

export type WordField = keyof typeof WORD_FIELDS;

/** Raised by one whenever words are read or stored differently; words stored in an older form are read again. */
export const WORD_FORM = 10;

/** Words that say nothing about what a tool does: articles, pronouns, prepositions, auxiliaries. */
const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been but by can could did do does for from had has have
  how i if in into is it its just me my no not of on or our out per please she he her him his should so some
  such than that the their them then there these they this those to up us was we were what when where
  which who will with would you your`.split(/\s+/),
);

/**
 * The words of a text in lower case and the singular, without stop words; identifiers are split into words.
 * More stemming (verb endings, Porter's rules) was measured: it helps some public sets and hurts others as much
 * (docs/retrieval.md); other forms of a request's words are related words instead.
 */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .split(" ")
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map(singular);
}

/** What words are read of. */
type ToolTexts = { parameters: JsonSchema } & Pick<ToolDefinition, "name" | "description"> &
  Partial<Pick<ToolDefinition, "provider" | "providerDescription" | "category">>;

/** The words of a tool by fields, each as often as it occurs. */
export function toolWords(tool: ToolTexts): Record<WordField, string[]> {
  const texts = fieldTexts(tool);
  const fields = Object.keys(texts) as WordField[];
  return Object.fromEntries(fields.map((field) => [field, termsOf(texts[field])])) as Record<
    WordField,
    string[]
  >;
}

/** What is read of a tool, by fields. */
export function fieldTexts(tool: ToolTexts): Record<WordField, string> {
  const { name, description, provider, providerDescription = "", category, parameters } = tool;
  const gist = gistOf(description);
  const texts: SchemaTexts = {
    parameters: [],
    details: [description.trim().slice(gist.length), providerDescription],
  };
  readSchema(parameters, texts);
  return {
    name,
    source: [provider, category].filter(Boolean).join("\n"),
    description: gist,
    parameters: texts.parameters.join("\n"),
    details: texts.details.join("\n"),
  };
}

type SchemaTexts = Record<"parameters" | "details", string[]>;

/** Collects names, and descriptions and listed values, of properties at any depth. */
function readSchema({ properties, items }: JsonSchema, into: SchemaTexts): void {
  for (const [name, schema] of Object.entries(isSchema(properties) ? properties : {})) {
    into.parameters.push(name);
    readProperty(schema, into);
  }
  readProperty(items, into);
}

function readProperty(schema: unknown, into: SchemaTexts): void {
  if (!isSchema(schema)) return;
  const { description, enum: values } = schema;
  const texts = [description, ...(Array.isArray(values) ? values : [])];
  into.details.push(...texts.filter((text) => typeof text === "string"));
  readSchema(schema, into);
}

/** The S stemmer of Harman, "How effective is suffixing?", 1991: only the first rule that fits applies. */
function singular(word: string): string {
  if (word.length <= 3) return word;
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}
