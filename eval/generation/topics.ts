import type { Typed } from "../../plans/steps/schemaTypes.js";
import { wordsOf } from "../../tools/library/vectors/embedding.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** Words that do not tell what a value stands for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be been by each first for from get id ids in into is it its last list new of on once one only or order other set show some such that the their them they this those to was what which who with words".split(
    " ",
  ),
);

/** What follows does not tell what the value is: "Ids of users: only work items that …". */
const CLAUSE_END = /[,:;.(]|\s(?:that|which|who|whose)\s/;

/** Words for what a value is about: the id of a user and the id of a sprint are both texts, but have other topics. */
export function topicsOf(...texts: readonly string[]): Set<string> {
  const words = texts.flatMap(
    (text) =>
      wordsOf(text)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [],
  );
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(singular));
}

/** What an argument is about, by its name and the beginning of its description. */
export function topicsOfArgument({ name, type }: { name: string; type: Typed }): Set<string> {
  return topicsOf(name, firstClause(descriptionOf(type)));
}

/** What the whole result of a tool is about. */
export function topicsOfResult(tool: Pick<ToolDefinition, "returns">): Set<string> {
  const { returns: schema = {} } = tool;
  return topicsOf(firstClause(descriptionOf({ schema, root: schema })));
}

/** What a field of a result is about; if its name says nothing, as `id`, what its object is about. */
export function topicsOfField(options: {
  name: string;
  description?: string;
  of: ReadonlySet<string>;
}): ReadonlySet<string> {
  const own = topicsOf(options.name, firstClause(options.description ?? ""));
  return own.size > 0 ? own : options.of;
}

/** How many topics two values share. */
export function sharedTopics(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}

/** The description in a schema, or an empty text. */
export function descriptionOf({ schema }: Typed): string {
  const { description } = schema;
  return typeof description === "string" ? description : "";
}

function firstClause(text: string): string {
  return text.split(CLAUSE_END)[0] ?? "";
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word;
}
