import type { JsonSchema, ToolDefinition } from "../tool.js";
import { wordsOf } from "./toolText.js";
import { termsOf } from "./words.js";

// An id is told by what it is of, as in `user id`; a token or key that a tool gives, whatever it is for, likewise.
// Requests rarely hold them: `delete_event(event_id)` needs what `search_events` finds.

/** Last words of names of such values, with the kind of each. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...["id", "ids", "uuid", "uuids", "guid", "guids"].map((word) => [word, "id"] as const),
  ...["token", "tokens"].map((word) => [word, "token"] as const),
  ...["key", "keys"].map((word) => [word, "key"] as const),
]);

/** Verbs of tools that tell what there is. */
const TELLING = new Set(
  "browse check discover fetch find get list lookup query read retrieve search show".split(" "),
);

/** Verbs of tools that make what there was not: the id that they give is no other tool's to ask for. */
const MAKING = new Set(
  "add book create insert make new place post put register schedule set update upload write".split(
    " ",
  ),
);

/** Words of names that neither say what is done nor to what. */
const OTHER = new Set("all api delete patch remove v1 v2 v3".split(" "));

/** What follows them in a name is what a tool goes by, not what it gives. */
const LIMITS = new Set("by for from in of on to using with".split(" "));

/** Characters of a description that say what a tool is about; the rest tells how to use it. */
const SUMMARY = 200;

/**
 * The ids that a tool asks for, those of optional parameters only where none is required.
 *
 * @example
 * neededIds(deleteEvent); // ["event id"]
 */
export function neededIds(tool: ToolDefinition): string[] {
  const { properties, required } = tool.parameters;
  const names = Object.keys(isObject(properties) ? properties : {});
  const wanted = Array.isArray(required) && required.length > 0 ? required : names;
  const asked = names.filter((name) => wanted.includes(name));
  return [...new Set(asked.flatMap((name) => idsNamed(name, tool)))];
}

/** The ids that a tool gives without being given them: by what it returns, and by its name. */
export function givenIds(tool: ToolDefinition): string[] {
  const words = wordsOf(tool.name).split(" ");
  const verb = words.find((word) => TELLING.has(word) || MAKING.has(word)) ?? "";
  if (MAKING.has(verb)) return [];
  const returned = propertyNames(tool.returns).flatMap((name) => idsNamed(name, tool));
  const needed = new Set(neededIds(tool));
  const given = [...returned, ...(verb ? idsSaid(tool, words.slice(words.indexOf(verb) + 1)) : [])];
  return [...new Set(given)].filter((id) => !needed.has(id));
}

/** Stands for an id among the words of a library: tools that give it have it. Providers have ids of their own. */
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

/** What a bare `id` is of: the word before it in the tool's name (`albums/{id}`), or any that is no verb. */
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

/** `get_user_id` says it, `search_events` finds those of events, and `search` of all that its description names. */
function idsSaid({ description }: ToolDefinition, afterVerb: readonly string[]): string[] {
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

/** At any depth. */
function propertyNames(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { properties, items } = schema;
  const named = Object.entries(isObject(properties) ? properties : {});
  return [
    ...named.flatMap(([name, property]) => [name, ...propertyNames(property)]),
    ...propertyNames(items),
  ];
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
