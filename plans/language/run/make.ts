import { groupOf, tableOf } from "./collections.js";
import type { Given, MethodCall } from "./functions.js";
import { madeMoment, momentOf } from "./moments.js";
import { numberOf } from "./operators.js";
import { Fault, typeError } from "./signals.js";
import { wholeOf, wordsOf, hostOf, thrown } from "./textMethods.js";
import {
  errorOf,
  isUndefined,
  joined,
  List,
  list,
  object,
  ready,
  text,
  type Value,
  type Callback,
  type Format,
  number,
  type Origins,
  UNDEFINED,
  valueOf,
  TextPattern,
  truth,
} from "./values.js";
import { fitsList, iterate, type Visit, step } from "./visit.js";
import type { Expression } from "../program.js";
import { createContext, Script } from "node:vm";

/** `new Map(…)` and its like; the reader knows what there is. */
export function make(name: string, given: Given, visit: Visit): Value {
  const [first, second] = given.args;
  const from = first && ready(first);
  switch (name) {
    case "Map":
    case "WeakMap":
      return tableOf(itemsIn(from, visit), visit, from?.origins);
    case "Set":
    case "WeakSet":
      return groupOf(itemsIn(from, visit), visit, from?.origins);
    case "Array":
      return arrayOf(given.args, visit);
    case "Date":
      return dateOf(given.known(), visit);
    case "RegExp": {
      const origins = joined(given.known().map((value) => value.origins));
      const flags = second && !isUndefined(second) ? wordsOf(second) : undefined;
      if (from?.kind === "pattern")
        return patternOf(from.pattern.source, flags ?? from.pattern.flags, origins);
      return patternOf(wordsOf(from ?? text("")), flags ?? "", origins);
    }
    case "Object":
      return from ?? object([]);
    default:
      return name.startsWith("Intl.")
        ? formatOf(name.slice("Intl.".length), given.known())
        : newError(name, given.args);
  }
}

function itemsIn(value: Value | undefined, visit: Visit): Value[] {
  return value && value.kind !== "nothing" ? [...iterate(value, visit)] : [];
}

/** The first argument of an `AggregateError` is the list of its errors. */
function newError(name: string, args: readonly Value[]): Value {
  const all = args.map(ready);
  const errors = name === "AggregateError" ? all.shift() : undefined;
  const [message, options] = all;
  const words = message && !isUndefined(message) ? message : text("");
  const made = errorOf("", words.origins, name);
  made.fields.message = words;
  const cause = options?.kind === "object" ? options.fields.cause : undefined;
  if (cause) made.fields.cause = cause;
  if (errors) made.fields.errors = errors;
  return made;
}

/** `new Array(3)` has three empty places. */
function arrayOf(args: readonly Value[], visit: Visit): Value {
  const [only] = args;
  if (!only || args.length > 1 || ready(only).kind !== "number") return list(args);
  const size = numberOf(only);
  if (!Number.isInteger(size) || size < 0)
    throw new Fault(`A list cannot have ${size} items.`, { thrownAs: "RangeError" });
  fitsList(size, visit);
  return new List(Array<Value>(size), only.origins);
}

function dateOf(args: readonly Value[], visit: Visit): Value {
  const [first = text(visit.inputs.today), ...others] = args;
  const origins = joined(args.map((value) => value.origins));
  if (others.length > 0) return momentOf({ kind: "number", value: utcOf(args), origins });
  return madeMoment(first);
}

/** The time of a year, month, day, … in UTC. */
export function utcOf(args: readonly Value[]): number {
  const [year = 0, month = 0, ...more] = args.map(wholeOf);
  return Date.UTC(year, month, ...more);
}

/*
 * Words for numbers and dates, as the host's `Intl` has them. Where a program does not choose, the language is English
 * and the time zone UTC, so that it does the same everywhere.
 */

type Made = Intl.NumberFormat & Intl.DateTimeFormat & Intl.PluralRules & Intl.Collator;

const ENGLISH = "en-US";

/** `new Intl.NumberFormat(locales, options)` and its like. */
function formatOf(name: string, args: readonly Value[]): Format {
  const [locales = UNDEFINED, options = UNDEFINED] = args;
  const made: Format = {
    kind: "format",
    name,
    locales: hostOf(locales) as Format["locales"],
    options: { ...(name === "DateTimeFormat" && UTC), ...(hostOf(options) as object) },
    origins: joined(args.map((value) => value.origins)),
  };
  hosted(made);
  return made;
}

const UTC = { timeZone: "UTC" };

/** Making one takes long, and a program asks for the same one for each of its items. */
const known = new Map<string, Made>();
const MOST_KNOWN = 50;

/** Its error is one that the program may catch: an unknown language or currency. */
function hosted({ name, locales, options }: Pick<Format, "name" | "locales" | "options">): Made {
  const key = JSON.stringify([name, locales, options]);
  const before = known.get(key);
  if (before) return before;
  const Class = Intl[name as "NumberFormat"];
  const made = thrown(() => new Class(locales ?? ENGLISH, options)) as Made;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

const DATE = { year: "numeric", month: "numeric", day: "numeric" };
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
const DATE_PARTS = ["weekday", "year", "month", "day", "dateStyle"];
const TIME_PARTS = "hour minute second fractionalSecondDigits dayPeriod timeStyle".split(" ");

/** `toLocaleString` and its like. */
export function localText(
  name: "NumberFormat" | "DateTimeFormat",
  value: number | bigint,
  args: readonly Value[],
  from: Origins,
  parts?: "all" | "date" | "time",
): Value {
  const { locales, options } = formatOf(name, args);
  const asked =
    parts === "date" ? DATE_PARTS : parts === "time" ? TIME_PARTS : [...DATE_PARTS, ...TIME_PARTS];
  const isChosen = asked.some((one) => Object.hasOwn(options, one));
  const all = { ...(parts !== "time" && DATE), ...(parts !== "date" && TIME) };
  const format = hosted({ name, locales, options: { ...(parts && !isChosen && all), ...options } });
  return text(format.format(value as number), joined([from, ...args.map((one) => one.origins)]));
}

/** A method of an object of `Intl`. */
export function formatMethod(name: string, of: Format, call: MethodCall): Value {
  const args = call.known();
  const origins = joined([of, ...args].map((value) => value.origins));
  const given = args.map((value) => hostArgument(of, value, call));
  const method = hosted(of)[name as "format"] as ((...args: unknown[]) => unknown) | undefined;
  if (typeof method !== "function") throw typeError(`Intl.${of.name} has no method \`${name}\`.`);
  const made = thrown(() => method.apply(hosted(of), given));
  if (typeof made === "number") return number(made, origins);
  if (typeof made === "string") return text(made, origins);
  const parts: Value[] = [];
  if (!(Symbol.iterator in Object(made))) return valueOf({ ...Object(made) }, origins);
  for (const part of made as Iterable<unknown>) {
    parts.push(valueOf({ ...Object(part) }, origins));
    fitsList(parts.length, call.visit);
  }
  return list(parts, origins);
}

/** `format.format` as a value, such as `map` may be given: it belongs to its object for good. */
export function boundMethod(of: Format, name: string): Callback {
  const line = 0;
  const names = name === "compare" || name === "formatRange" ? ["one", "other"] : ["one"];
  const named = (one: string) => ({ line, kind: "name", name: one }) as const;
  const parameters = names.map((one) => ({
    pattern: { kind: "name", name: one } as const,
    otherwise: undefined,
    isRest: false,
  }));
  const call = { kind: "method", of: named("of"), name, args: names.map(named) } as const;
  const body: Expression = { line, ...call, turn: -1, optional: false };
  return {
    kind: "function",
    written: { line, kind: "function", parameters, body, isAsync: false, isInline: true },
    scope: { names: new Map([["of", of]]), outer: undefined },
    origins: of.origins,
  };
}

function hostArgument({ name }: Format, value: Value, { visit }: MethodCall): unknown {
  if (name === "DateTimeFormat") return momentOf(value).value;
  if (name === "ListFormat") return [...iterate(value, visit)].map(wordsOf);
  if (value.kind === "bigint") return value.value;
  if (name === "Collator" || value.kind === "text") return wordsOf(value);
  return numberOf(value);
}

/** A part of a text that a regular expression matches. */
export interface Match {
  index: number;
  parts: (string | undefined)[];
  named: Record<string, string | undefined> | undefined;
}

/** A regular expression, as `new RegExp` makes it. */
export function patternOf(source: string, flags: string, origins?: Origins): TextPattern {
  const made = thrown(() => new RegExp(source, flags));
  return new TextPattern(made, origins);
}

export function patternMethod(name: string, of: TextPattern, call: MethodCall): Value {
  if (name === "toString") return text(String(of.pattern), of.origins);
  const [given = UNDEFINED] = call.known();
  const words = wordsOf(given);
  const origins = joined([of.origins, given.origins]);
  const { global, sticky } = of.pattern;
  const goesOn = global || sticky;
  const [match] = matchesIn(of, words, { from: goesOn ? of.lastIndex : 0, most: 1 }, call.visit);
  if (goesOn) of.lastIndex = match ? match.index + (match.parts[0]?.length ?? 0) : 0;
  if (name === "test") return truth(match !== undefined, origins);
  return match ? matchValue(match, origins) : { kind: "nothing", value: null, origins };
}

/** A match as `exec` gives it: a list with further fields. */
export function matchValue({ index, parts, named }: Match, origins: Origins): Value {
  const value = (part: string | undefined): Value =>
    part === undefined ? { ...UNDEFINED, origins } : text(part, origins);
  const made = new List(parts.map(value), origins);
  made.fields = new Map<string, Value>([
    ["index", { kind: "number", value: index, origins }],
    [
      "groups",
      named
        ? object(
            Object.entries(named).map(([name, part]) => [name, value(part)]),
            origins,
          )
        : UNDEFINED,
    ],
  ]);
  return made;
}

/** A list of texts, with the origins of what was matched. */
export function texts(parts: readonly (string | undefined)[], origins: Origins): List {
  return list(
    parts.map((part) => (part === undefined ? UNDEFINED : text(part, origins))),
    origins,
  );
}

/** The first matches of a pattern in a text, in order; all if `most` is left out. */
export function matchesIn(
  { pattern }: TextPattern,
  words: string,
  { from = 0, most = Number.POSITIVE_INFINITY }: { from?: number; most?: number },
  visit: Visit,
): Match[] {
  const limit = Math.min(most, visit.limits.items + 1);
  step(visit, words.length);
  const flags = `${pattern.flags.replace("g", "")}${pattern.sticky ? "" : "g"}`;
  const own = new RegExp(pattern.source, flags);
  const work = () => search(own, words, from, limit);
  const found = isQuick(own, words) ? work() : withinTime(work, own, visit);
  fitsList(found.length, visit);
  return found;
}

/** Most comparisons that matching may take to be done at once. */
const QUICK = 200_000;

/** Whether a pattern cannot take long: what it repeats decides how often each character may be looked at. */
function isQuick({ source }: RegExp, words: string): boolean {
  const plain = source.replaceAll(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, "x");
  if (/\)[*+{]|\\[1-9k]/.test(plain)) return false;
  const repeated = plain.match(/[*+]|\{\d+,/g) ?? [];
  return (words.length + 1) ** (repeated.length + 1) < QUICK;
}

function search(pattern: RegExp, words: string, from: number, limit: number): Match[] {
  const found: Match[] = [];
  pattern.lastIndex = from;
  while (found.length < limit) {
    const match = pattern.exec(words);
    if (!match) break;
    found.push({
      index: match.index,
      parts: [...match],
      named: match.groups && { ...match.groups },
    });
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found;
}

const script = new Script("work()");

/** Only what a script calls can be ended in the middle of a match. All of one pass share the time. */
function withinTime(work: () => Match[], pattern: RegExp, visit: Visit): Match[] {
  const left = Math.floor(visit.limits.matching - visit.matched);
  if (left < 1) throw tooLong(pattern, visit);
  const begun = performance.now();
  try {
    return script.runInContext(createContext({ work }), { timeout: left }) as Match[];
  } catch (error) {
    if (Object(error).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw tooLong(pattern, visit);
  } finally {
    visit.matched += performance.now() - begun;
  }
}

function tooLong(pattern: RegExp, { limits }: Visit): Fault {
  return new Fault(
    `Matching ${String(pattern).slice(0, 60)} takes more than ${limits.matching} ms. Write a simpler pattern, or methods of texts.`,
  );
}
