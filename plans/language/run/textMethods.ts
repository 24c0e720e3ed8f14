import { localText, type Match, matchesIn, matchValue, patternOf, texts } from "./make.js";
import { type MethodCall, workOf } from "./functions.js";
import { isoText } from "./moments.js";
import { numberOf } from "./operators.js";
import { Fault, typeError } from "./signals.js";
import {
  joined,
  kindOf,
  list,
  originsIn,
  number,
  type Fields,
  ready,
  text,
  truth,
  UNDEFINED,
  valueOf,
  type Amount,
  type Text,
  type TextPattern,
  type Value,
  sound,
} from "./values.js";
import { fits, fitsList, itemsOf, step, type Visit } from "./visit.js";

/**
 * A text made of several values by a template or `+`, as JavaScript writes them. What has no sensible notation there,
 * such as an object, is kept: people are told it in words, and nothing else can be done with the text. So are numbers
 * with the noise of binary fractions, which people are not told.
 */
export function textFrom(all: readonly (string | Value)[], visit: Visit): Text {
  const given = all.map((part) =>
    typeof part === "object" && part.kind === "object" && part.error !== undefined
      ? text(errorText(part), originsIn(part))
      : part,
  );
  const values = given.filter((part) => typeof part !== "string");
  const words = given.map((part) => (typeof part === "string" ? part : worded(part, visit)));
  fits(total(words), visit);
  const flaw = values.find(isFlaw);
  const parts = partsOf(given, visit);
  step(visit, parts.length);
  return {
    ...bounded(words.join(""), joined(values.map(originsIn)), visit),
    ...(parts.some((part) => typeof part !== "string") && { parts }),
    ...(flaw && { flaw: flaw.kind === "text" ? flaw.flaw : flaw }),
  };
}

/** Flattens the parts of texts, so that a text growing in a loop stays flat. */
function partsOf(given: readonly (string | Value)[], visit: Visit): (string | Value)[] {
  const parts: (string | Value)[] = [];
  for (const part of given.flatMap((one) => flatParts(one, visit))) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}

function flatParts(part: string | Value, visit: Visit): readonly (string | Value)[] {
  if (typeof part === "string") return [part];
  if (part.kind === "text") return part.parts ?? [part.value];
  return isFlaw(part) || part.kind === "number" ? [part] : [worded(part, visit)];
}

export function bounded(value: string, origins: Value["origins"], visit: Visit): Text {
  fits(value.length, visit);
  step(visit, value.length);
  return text(value, origins);
}

function worded(given: Value, visit: Visit): string {
  const value = ready(given);
  if (value.kind === "object")
    return value.error === undefined ? "[object Object]" : errorText(value);
  if (value.kind === "nothing" && value.value === null) return "null";
  if (value.kind === "text") return value.value;
  if (value.kind === "date") return isoText(value);
  if (value.kind !== "list") return wordsOf(value);
  const words = itemsOf(value, visit).map((item) =>
    item.kind === "nothing" ? "" : worded(item, visit),
  );
  fits(total(words) + words.length, visit);
  return words.join(",");
}

function errorText({ error, fields }: Fields): string {
  return `${error}: ${fields.message?.kind === "text" ? fields.message.value : ""}`;
}

function total(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

export function wordsOf(given: Value): string {
  const value = ready(given);
  if (value.kind === "text") return sound(value).value;
  if (value.kind === "boolean" || value.kind === "bigint") return String(value.value);
  if (value.kind === "object" && value.error !== undefined) return errorText(value);
  if (value.kind === "pattern") return String(value.pattern);
  if (value.kind === "number" && !Number.isNaN(value.value)) return String(value.value);
  const what = value.kind === "number" ? "NaN" : kindOf(value);
  const instead =
    value.kind === "date"
      ? " Write its toISOString()."
      : value.kind === "nothing"
        ? " Say what to write instead with `??`."
        : "";
  throw new Fault(`A text is needed here, and this is ${what}.${instead}`, { value });
}

/** Whether its text would be useless to a tool. */
function isFlaw(value: Value): boolean {
  if (value.kind === "text") return value.flaw !== undefined;
  if (value.kind === "list")
    return value.items.some((one) => one.kind !== "nothing" && isFlaw(one));
  if (value.kind === "object") return value.error === undefined;
  return ["nothing", "date", "map", "set", "function", "format"].includes(value.kind);
}

/** Calls a method of a text; its arguments must be known. */
export function textMethod(name: string, whole: Text, call: MethodCall): Value {
  const args = call.known();
  const { visit } = call;
  if (name === "toString" || name === "valueOf") return whole;
  if (name === "concat") return textFrom([whole, ...args], visit);
  const given = sound(whole).value;
  const origins = joined([whole, ...args].map((value) => value.origins));
  if (name === "replace" || name === "replaceAll")
    return replaced(name, given, { ...call, origins });
  const [first] = args;
  if (first?.kind === "pattern") return matched(name, given, first, { args, origins, visit });
  if (name === "match" || name === "matchAll" || name === "search") {
    const pattern = patternOf(wordsOf(first ?? NONE), name === "matchAll" ? "g" : "");
    return matched(name, given, pattern, { args, origins, visit });
  }
  const size = sizeAfter(name, given, args);
  fits(size, visit);
  step(visit, given.length);
  const method = given[name as "slice"] as (...args: unknown[]) => unknown;
  const made = thrown(() => method.apply(given, args.map(hostOf)));
  return resultOf(
    name === "localeCompare" && !args[1]
      ? given.localeCompare(wordsOf(first ?? UNDEFINED), "en")
      : made,
    {
      origins,
      visit,
    },
  );
}

const NONE = text("");

function sizeAfter(name: string, given: string, [first]: readonly Value[]): number {
  if (name === "repeat") {
    const count = wholeOf(first ?? UNDEFINED);
    if (count < 0)
      throw new Fault(`A text cannot be repeated ${count} times.`, { thrownAs: "RangeError" });
    return given.length * count;
  }
  const isPadded = name === "padStart" || name === "padEnd";
  return isPadded ? Math.max(given.length, wholeOf(first ?? UNDEFINED)) : given.length;
}

export function hostOf(value: Value): unknown {
  if (value.kind === "nothing") return undefined;
  if (value.kind === "number" || value.kind === "boolean") return value.value;
  if (value.kind === "list") return value.items.map(hostOf);
  if (value.kind === "object") {
    return Object.fromEntries(
      Object.entries(value.fields).map(([key, field]) => [key, hostOf(ready(field))]),
    );
  }
  return wordsOf(value);
}

/** An error of the host as one that the program may catch. */
export function thrown<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !HOST_ERRORS.some((one) => error instanceof one)) throw error;
    throw new Fault(error.message, { thrownAs: error.name });
  }
}

const HOST_ERRORS = [DOMException, RangeError, SyntaxError, TypeError, URIError];

type Result = { origins: Value["origins"]; visit: Visit };

function resultOf(made: unknown, { origins, visit }: Result): Value {
  if (typeof made === "string") return bounded(made, origins, visit);
  if (typeof made === "number") return number(made, origins);
  if (typeof made === "boolean") return truth(made, origins);
  if (!Array.isArray(made)) return { ...UNDEFINED, origins };
  fitsList(made.length, visit);
  step(visit, made.length);
  return texts(made, origins);
}

function matched(
  name: string,
  given: string,
  pattern: TextPattern,
  { args, origins, visit }: Result & { args: readonly Value[] },
): Value {
  const { global } = pattern.pattern;
  if (name === "matchAll") {
    if (!global) throw typeError("matchAll takes a regular expression with the flag g.", pattern);
    return list(
      matchesIn(pattern, given, {}, visit).map((match) => matchValue(match, origins)),
      origins,
    );
  }
  if (name === "search" || name === "match") {
    const found = matchesIn(pattern, given, global && name === "match" ? {} : { most: 1 }, visit);
    const [first] = found;
    if (name === "search") return number(first?.index ?? -1, origins);
    if (!first) return { kind: "nothing", value: null, origins };
    return global
      ? texts(
          found.map(({ parts }) => parts[0]),
          origins,
        )
      : matchValue(first, origins);
  }
  if (name === "split") {
    const parts = splitAt(given, matchesIn(pattern, given, {}, visit));
    const most = args[1];
    return texts(most && most.kind !== "nothing" ? parts.slice(0, wholeOf(most)) : parts, origins);
  }
  throw typeError(`${name} takes a text, and not a regular expression.`, pattern);
}

function splitAt(given: string, found: readonly Match[]): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  let from = 0;
  for (const { index, parts: matched } of found) {
    const end = index + (matched[0]?.length ?? 0);
    // An empty match splits nothing off at an edge.
    if (end === from || index >= given.length) continue;
    parts.push(given.slice(from, index), ...matched.slice(1));
    from = end;
  }
  return given === "" && found.length > 0 ? [] : [...parts, given.slice(from)];
}

/** `replace` and `replaceAll`, by a text or by what a function gives for each match. */
function replaced(name: string, given: string, call: MethodCall & Result): Text {
  const { visit, origins } = call;
  const [what = NONE, by = UNDEFINED] = call.known();
  const found = toReplace(name, given, what, visit);
  const work = by.kind === "function" ? workOf(call) : undefined;
  const all: (string | Value)[] = [];
  let from = 0;
  for (const [turn, match] of found.entries()) {
    const whole = match.parts[0] ?? "";
    all.push(given.slice(from, match.index));
    from = match.index + whole.length;
    if (work) {
      const named = match.named ? [valueOf(match.named, origins)] : [];
      const parts = match.parts.map((part) => valueOf(part, origins));
      all.push(ready(work(turn, ...parts, number(match.index), text(given, origins), ...named)));
    } else all.push(expanded(wordsOf(by), match, given));
    if (turn % CHEAP_TURNS === 0)
      fits(total(all.filter((part) => typeof part === "string")), visit);
  }
  const made = textFrom([...all, given.slice(from)], visit);
  return { ...made, origins: joined([made.origins, origins]) };
}

const CHEAP_TURNS = 1_000;

function toReplace(name: string, given: string, what: Value, visit: Visit): Match[] {
  if (what.kind === "pattern") {
    const { global } = what.pattern;
    if (name === "replaceAll" && !global)
      throw typeError("replaceAll takes a regular expression with the flag g.", what);
    return matchesIn(what, given, global ? {} : { most: 1 }, visit);
  }
  const words = wordsOf(what);
  const found: Match[] = [];
  step(visit, given.length);
  for (
    let at = given.indexOf(words);
    at >= 0;
    at = given.indexOf(words, at + (words.length || 1))
  ) {
    found.push({ index: at, parts: [words], named: undefined });
    if (name === "replace" || at >= given.length) break;
    fitsList(found.length, visit);
  }
  return found;
}

/** What `$1`, `$&` and `$<name>` stand for. */
function expanded(by: string, { index, parts, named }: Match, given: string): string {
  if (!by.includes("$")) return by;
  const [whole = ""] = parts;
  return by.replaceAll(/\$(?:\$|&|`|'|(\d\d?)|<([^>]*)>)/g, (all, at?: string, name?: string) => {
    if (all === "$$") return "$";
    if (all === "$&") return whole;
    if (all === "$`") return given.slice(0, index);
    if (all === "$'") return given.slice(index + whole.length);
    if (name !== undefined) return named ? (named[name] ?? "") : all;
    const digits = at ?? "";
    const known = Number(digits) < parts.length ? digits : digits.slice(0, 1);
    if (Number(known) === 0 || Number(known) >= parts.length) return all;
    return `${parts[Number(known)] ?? ""}${digits.slice(known.length)}`;
  });
}

export function wholeOf(value: Value): number {
  return Math.trunc(numberOf(value));
}

/** A method of a number, as JavaScript has it. The language without a choice is English. */
export function numberMethod(name: string, whole: Amount, call: MethodCall): Value {
  const args = call.known();
  const given = numberOf(whole);
  const origins = joined([whole, ...args].map((value) => value.origins));
  if (name === "valueOf") return number(given, origins);
  if (name === "toLocaleString") return localText("NumberFormat", given, args, origins);
  const method = given[name as "toFixed"];
  const [digits] = args;
  const made = thrown(() =>
    method.call(given, digits && digits.kind !== "nothing" ? wholeOf(digits) : undefined),
  );
  return text(made, origins);
}
