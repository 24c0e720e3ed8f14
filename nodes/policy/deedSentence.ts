import { wordsOf } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { namedIds, valueText } from "../../plans/grounding/valueText.js";
import type { ToolRecord } from "../../tools/tool.js";

/** What a sentence about a call is made of. */
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
  const words = wordsOf((tool?.name ?? name).split(/[./]|__/).at(-1) ?? name);
  const at = verbAt(words, tool?.description ?? "");
  if (at < 0) return `Call ${tool?.name ?? name}${restText(Object.entries(args))}`;
  const object = words.filter((_, index) => index !== at);
  const names = namedIds(args, known);
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  const lead = leadOf(given, object);
  const others = given.filter(([key]) => key !== lead);
  const placed = others.filter(([key, value]) => isPlace(key, value));
  const rest = others.filter(([key, value]) => !isPlace(key, value));
  const said = [
    capital(form(words[at] ?? "")),
    ...object,
    ...(lead === undefined ? [] : [leadText(args[lead], names)]),
    ...placed.map(([key, value]) => `${key} ${brief(value)}`),
  ];
  return `${said.join(" ")}${restText(rest)}`;
}

/** Which word of a tool's name is its verb: a known one, or the one that its description begins with in another form. */
function verbAt(words: readonly string[], description: string): number {
  const [first = ""] = /\p{L}+/u.exec(description.toLowerCase()) ?? [];
  const isSaid = (word: string) => [word, `${word}s`, `${word}es`, iesOf(word)].includes(first);
  const known = words.findIndex((word) => VERBS.has(word));
  return known >= 0 ? known : words.findIndex((word) => word.length > 2 && isSaid(word));
}

function iesOf(word: string): string {
  return word.replace(/y$/, "ies");
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
  const isLead = ([key, value]: [string, unknown]) => LEADS.test(key) && !isPlainObject(value);
  return (given.find(isObject) ?? given.find(isLead))?.[0];
}

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
    const value = at(result, path) ?? at(args, path);
    isWhole &&= value !== undefined && value !== null;
    return brief(value);
  });
  return isWhole ? text.replace(/\.$/, "") : undefined;
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, key) => (isPlainObject(inner) ? inner[key] : undefined), value);
}

/** "close" → "closed", "submit" → "submitted", "send" → "sent" */
function pastOf(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb);
  return isShort || DOUBLED.has(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

const DOUBLED: ReadonlySet<string> = new Set(
  "submit commit transfer permit admit cancel unpin untag unplug refer defer".split(" "),
);

const IRREGULAR: Record<string, string> = Object.fromEntries(
  `build built|buy bought|cut cut|draw drew|forget forgot|give gave|hide hid|hold held|keep kept|lend lent
leave left|let let|make made|overwrite overwrote|pay paid|put put|reset reset|rewrite rewrote|run ran|sell sold
send sent|resend resent|set set|shut shut|spend spent|split split|take took|undo undid|unset unset|withdraw withdrew|write wrote`
    .split(/[|\n]/)
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Verbs that names of tools begin with. */
const VERBS: ReadonlySet<string> = new Set(
  `accept activate add adjust append apply approve archive assign attach award ban block book buy cancel change charge clear
clone close commit complete confirm connect copy create deactivate decline delete deliver deploy detach disable disconnect
dismiss drop edit enable enroll erase extend fill finish fix follow forward free give grant hide hold import insert install
invite issue join keep kill label leave link lock log make mark merge mount move mute notify open order overwrite park pause pay pin
place post press print publish pull purchase purge push put quit rate reassign rebook record redeem refund register reject release
remove rename renew reopen replace reply request reschedule resend reserve reset resolve restart restore resume retry return
revoke rewrite rotate run save schedule sell send set share ship shut sign skip snooze split star start stop submit subscribe swap
switch sync tag take terminate toggle transfer trash trigger turn unarchive unassign unblock undo uninstall unlink unlock
unmute unpin unpublish unset unsubscribe update upgrade upload upsert use vote wipe withdraw write`.split(
    /\s+/,
  ),
);
