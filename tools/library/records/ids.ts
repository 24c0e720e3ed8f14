import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { ToolDefinition } from "../../tool.js";
import { wordsOf } from "../vectors/toolText.js";
import { termsOf } from "../words/words.js";

// Ids, tokens and keys that tools ask for and give, each named after what it belongs to, such as `user id`. Requests
// rarely contain them: `delete_event(event_id)` needs what `search_events` finds.

/** Last words of the names of such values, with the kind of each. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...["id", "ids", "uuid", "uuids", "guid", "guids"].map((word) => [word, "id"] as const),
  ...["token", "tokens"].map((word) => [word, "token"] as const),
  ...["key", "keys"].map((word) => [word, "key"] as const),
]);

/** Verbs of tools that find what exists. */
const TELLING = new Set(
  "browse check discover fetch find get list lookup query read retrieve search show".split(" "),
);

/** Verbs of tools that make something new: no other tool asks for the id before they were called. */
const MAKING = new Set(
  "add book create insert make new place post put register schedule set update upload write".split(
    " ",
  ),
);

/** Words in names that say neither what is done nor to what. */
const OTHER = new Set("all api delete patch remove v1 v2 v3".split(" "));

/** What follows one of these in a name is what a tool is given, not what it gives. */
const LIMITS = new Set("by for from in of on to using with".split(" "));

/** Characters of a description that say what a tool is about; the rest says how to use it. */
const SUMMARY = 200;

/**
 * The ids that a tool asks for; those of optional parameters only if none is required.
 *
 * @example
 * neededIds(deleteEvent); // ["event id"]
 */
export function neededIds(tool: ToolDefinition): string[] {
  const { properties, required } = tool.parameters;
  const names = Object.keys(isSchema(properties) ? properties : {});
  const wanted = Array.isArray(required) && required.length > 0 ? required : names;
  const asked = names.filter((name) => wanted.includes(name));
  return [...new Set(asked.flatMap((name) => idsNamed(name, tool)))];
}

/** The ids that a tool gives without being given them, as its name and its result say. */
export function givenIds(tool: ToolDefinition): string[] {
  const words = wordsOf(tool.name).split(" ");
  const verb = words.find((word) => TELLING.has(word) || MAKING.has(word)) ?? "";
  if (MAKING.has(verb)) return [];
  const returned = propertyNames(tool.returns).flatMap((name) => idsNamed(name, tool));
  const needed = new Set(neededIds(tool));
  const given = [
    ...returned,
    ...(verb ? idsPromised(tool, words.slice(words.indexOf(verb) + 1)) : []),
  ];
  return [...new Set(given)].filter((id) => !needed.has(id));
}

/** A word that the tools giving an id have in the word index. Each provider has ids of its own. */
export function givingWord({ provider = "" }: ToolDefinition, id: string): string {
  return `→${provider} ${id}`;
}

function idsNamed(property: string, tool: ToolDefinition): string[] {
  const words = wordsOf(property).split(" ");
  const kind = KINDS.get(words.at(-1) ?? "");
  if (!kind) return [];
  const of = termsOf(words.slice(0, -1).join(" "));
  if (of.length > 0 || kind !== "id") return [idOf(of, kind)];
  return subjectsOf(tool).map((subject) => idOf([subject], kind));
}

function idOf(of: readonly string[], kind: string): string {
  return [...of, kind].join(" ");
}

/** What a bare `id` belongs to: the word before it in the tool's name (`albums/{id}`), or any that is not a verb. */
function subjectsOf({ name }: ToolDefinition): string[] {
  const words = wordsOf(name).split(" ");
  const at = words.findIndex((word) => KINDS.has(word));
  const before = at > 0 ? termsOf(words[at - 1] ?? "") : [];
  return before.length > 0 ? before : nounsOf(words.join(" "));
}

function nounsOf(text: string): string[] {
  return termsOf(text).filter(
    (word) => ![TELLING, MAKING, OTHER, KINDS].some((others) => others.has(word)),
  );
}

/**
 * The ids that a name promises: `get_user_id` names one, `search_events` finds those of events, and `search` those of
 * everything its description mentions.
 */
function idsPromised({ description }: ToolDefinition, afterVerb: readonly string[]): string[] {
  const limit = afterVerb.findIndex((word) => LIMITS.has(word));
  const object = limit === -1 ? afterVerb : afterVerb.slice(0, limit);
  const at = object.findIndex((word) => KINDS.has(word));
  const kind = KINDS.get(object[at] ?? "");
  const of = termsOf(object.slice(0, Math.max(at, 0)).join(" "));
  if (kind === "id") return of.slice(-1).map((subject) => idOf([subject], kind));
  if (kind) return [idOf(of, kind), kind];
  const nouns = nounsOf(object.join(" ")).slice(-1);
  const found = nouns.length > 0 ? nouns : nounsOf(description.slice(0, SUMMARY));
  return found.map((subject) => idOf([subject], "id"));
}

/** Names of properties at any depth. */
function propertyNames(schema: unknown): string[] {
  if (!isSchema(schema)) return [];
  const { properties, items } = schema;
  const named = Object.entries(isSchema(properties) ? properties : {});
  return [
    ...named.flatMap(([name, property]) => [name, ...propertyNames(property)]),
    ...propertyNames(items),
  ];
}
