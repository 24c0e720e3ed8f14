import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../tool.js";
import { gistOf, wordsOf } from "../vectors/embedding.js";

/**
 * The fields of a tool that a search by words reads, each with the most times that a word counts in it: a text that
 * repeats a word does not say more.
 */
export const WORD_FIELDS = {
  name: 7,
  provider: 3,
  providerDescription: 1,
  category: 3,
  /** Its gist, and phrases that people would say. */
  description: 15,
  parameters: 7,
  /** Texts about parameters, and the rest of the description. */
  parameterTexts: 7,
  /** The values that its parameters allow (`enum`). */
  values: 3,
} as const;

export type WordField = keyof typeof WORD_FIELDS;

/** A number for each field, such as its weight or how often a word occurs in it. */
export type PerField = Record<WordField, number>;

/** Raised by one whenever words are read or stored differently; words stored in an older form are read again. */
export const WORD_FORM = 4;

/** Words that say nothing about what a tool does: articles, pronouns, prepositions, auxiliaries. */
const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been but by can could did do does for from had has have
  how i if in into is it its just me my no not of on or our out please she he her him his should so some
  such than that the their them then there these they this those to up us was we were what when where
  which who will with would you your`.split(/\s+/),
);

/**
 * The words of a text in lower case and the singular, without stop words; identifiers are split into words.
 * More stemming (verb endings, Porter's rules) was measured: it helps some public sets and hurts others as much
 * (docs/retrieval.md).
 */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .split(" ")
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map(singular);
}

/** What words are read of. */
type ToolTexts = { parameters: JsonSchema } & Pick<ToolDefinition, "name" | "description"> &
  Partial<Pick<ToolDefinition, "provider" | "providerDescription" | "category" | "phrases">>;

/** How often each word occurs in each field of a tool, and how many words the tool has in all. */
export function toolWords(tool: ToolDefinition): { words: Map<string, PerField>; length: number } {
  const words = new Map<string, PerField>();
  let length = 0;
  for (const [field, text] of Object.entries(fieldTexts(tool)) as [WordField, string][]) {
    for (const term of termsOf(text)) {
      const counts = words.get(term) ?? noWords();
      counts[field] = Math.min(counts[field] + 1, WORD_FIELDS[field]);
      words.set(term, counts);
      length += 1;
    }
  }
  return { words, length };
}

/** The counts of a word that occurs in no field. */
function noWords(): PerField {
  return {
    name: 0,
    provider: 0,
    providerDescription: 0,
    category: 0,
    description: 0,
    parameters: 0,
    parameterTexts: 0,
    values: 0,
  };
}

/** What is read of a tool, by fields. */
export function fieldTexts(tool: ToolTexts): Record<WordField, string> {
  const { name, description, provider, providerDescription, category, parameters } = tool;
  const { phrases = [] } = tool;
  const gist = gistOf(description);
  const details = description.trim().slice(gist.length);
  const texts: SchemaTexts = { names: [], texts: [details], values: [] };
  readSchema(parameters, texts);
  return {
    name,
    provider: provider ?? "",
    providerDescription: providerDescription ?? "",
    category: category ?? "",
    description: [gist, ...phrases].join("\n"),
    parameters: texts.names.join(" "),
    parameterTexts: texts.texts.join(" "),
    values: texts.values.join(" "),
  };
}

type SchemaTexts = Record<"names" | "texts" | "values", string[]>;

/** Collects names, descriptions and listed values of properties at any depth. */
function readSchema({ properties, items }: JsonSchema, into: SchemaTexts): void {
  for (const [name, schema] of Object.entries(isSchema(properties) ? properties : {})) {
    into.names.push(name);
    readProperty(schema, into);
  }
  readProperty(items, into);
}

function readProperty(schema: unknown, into: SchemaTexts): void {
  if (!isSchema(schema)) return;
  const { description, enum: values } = schema;
  if (typeof description === "string") into.texts.push(description);
  if (Array.isArray(values)) {
    into.values.push(...values.filter((value) => typeof value === "string"));
  }
  readSchema(schema, into);
}

/** The S stemmer of Harman, "How effective is suffixing?", 1991: only the first rule that fits applies. */
function singular(word: string): string {
  if (word.length <= 3) return word;
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}
