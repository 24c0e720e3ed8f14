import { ownWords, wordsOf } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { VERBS, pastOf } from "../../common/verbForms.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { namedIds, valueText } from "../../plans/grounding/valueText.js";
import { at } from "../../tools/library/records/wayBack.js";
import type { ToolRecord } from "../../tools/tool.js";

export interface DeedCall {
  /** Its tool, if the library still has it. */
  tool: Pick<ToolRecord, "name" | "description" | "deed"> | undefined;
  /** Name for a tool that is gone. */
  name: string;
  args: Record<string, unknown>;
  result?: unknown;
  /** Results of the run, for names of the ids among the arguments. */
  known?: readonly unknown[];
}

/**
 * One sentence about a call that was made, without a full stop: as the tool's own `deed` has it, otherwise from its
 * name and arguments.
 *
 * @example "Assigned issue ISS-3 (owner: Lena Ortiz)" // assign_issue
 */
export function doneSentence(call: DeedCall): string {
  const own = call.tool?.deed && filled(call.tool.deed, call);
  return own || sentence(call, pastOf);
}

/** The same about a call that was not made, or not in full: "Assign issue ISS-3 (owner: Lena Ortiz)". */
export function openSentence(call: DeedCall): string {
  return sentence(call, (verb) => verb);
}

const LONGEST_VALUE = 80;

function sentence(call: DeedCall, form: (verb: string) => string): string {
  const { tool, name, args, known = [] } = call;
  const words = ownWords(tool?.name ?? name);
  const at = verbAt(words, tool?.description ?? "");
  // A tool named after what it makes or uses: "note".
  const verb = words[at] ?? leadingVerb(tool?.description ?? "") ?? "call";
  const object = words.filter((_, index) => index !== at);
  const names = namedIds(args, known);
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  const lead = leadOf(given, object);
  const others = given.filter(([key]) => key !== lead);
  const placed = others.filter(([key, value]) => isPlace(key, value));
  const rest = others.filter(([key, value]) => !isPlace(key, value));
  const said = [
    capital(form(verb)),
    ...object,
    ...(lead === undefined ? [] : [leadText(args[lead], names)]),
    ...placed.map(([key, value]) => `${key} ${brief(value)}`),
  ];
  return `${said.join(" ")}${restText(rest)}`;
}

/** The verb of a tool's name; undefined if none is known. */
export function verbOf({ name, description }: Pick<ToolRecord, "name" | "description">) {
  const words = ownWords(name);
  return words[verbAt(words, description)];
}

/** Which word of a tool's name is its verb: a known one, or the one that its description begins with in another form. */
function verbAt(words: readonly string[], description: string): number {
  const [first = ""] = /\p{L}+/u.exec(description.toLowerCase()) ?? [];
  const isSaid = (word: string) =>
    [word, `${word}s`, `${word}es`, word.replace(/y$/, "ies")].includes(first);
  const described = words.findIndex((word) => word.length > 2 && isSaid(word));
  return described >= 0 ? described : words.findIndex((word) => VERBS.has(word));
}

/** The verb that a description begins with: "Keeps a note". */
function leadingVerb(description: string): string | undefined {
  const [first = ""] = /\p{L}+/u.exec(description.toLowerCase()) ?? [];
  const forms = [
    first,
    first.replace(/s$/, ""),
    first.replace(/es$/, ""),
    first.replace(/ies$/, "y"),
  ];
  return forms.find((form) => VERBS.has(form));
}

/** The argument that says what was acted on: the only one, or the one named after the object or as its id. */
function leadOf(
  given: readonly [string, unknown][],
  object: readonly string[],
): string | undefined {
  const [only, ...others] = given;
  if (only && others.length === 0) return only[0];
  const nouns = new Set(object.flatMap((word) => [word, word.replace(/s$/, ""), `${word}s`]));
  const isObject = ([key]: [string, unknown]) => {
    const words = wordsOf(key).filter((word) => !/^(?:id|ids|name|key)$/.test(word));
    return words.every((word) => nouns.has(word));
  };
  return (given.find(isObject) ?? given.find(isLead))?.[0];
}

const isLead = ([key, value]: readonly [string, unknown]) =>
  LEADS.test(key) && !isPlainObject(value);

const LEADS = /^(?:title|subject|path|number|slug|email|url|summary)$/i;

/** "from checking", "to savings" */
function isPlace(key: string, value: unknown): boolean {
  return PREPOSITIONS.has(key) && !isPlainObject(value);
}

const PREPOSITIONS: ReadonlySet<string> = new Set(
  "to from into in on at for with by as until since between of".split(" "),
);

function leadText(value: unknown, names: Record<string, string>): string {
  const text = brief(value);
  const name = names[text];
  return name === undefined ? text : `${text} “${clipped(name, LONGEST_VALUE)}”`;
}

function restText(rest: readonly [string, unknown][]): string {
  const texts = rest.map(([key, value]) => `${wordsOf(key).join(" ")}: ${brief(value)}`);
  return texts.length > 0 ? ` (${texts.join(", ")})` : "";
}

function brief(value: unknown): string {
  return clipped(valueText(value).replaceAll(/\s+/g, " "), LONGEST_VALUE);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A tool's own sentence, with values of the result and the arguments; undefined if one of them is missing. */
function filled(deed: string, { args, result }: DeedCall): string | undefined {
  let isWhole = true;
  const text = deed.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => {
    const keys = path.split(".");
    const value = at(result, keys) ?? at(args, keys);
    isWhole &&= value !== undefined && value !== null;
    return brief(value);
  });
  return isWhole ? text.replace(/\.$/, "") : undefined;
}
