import type { METHODS } from "../language.js";
import { isoText } from "./moments.js";
import { isTrue, numberOf } from "./operators.js";
import { sound } from "./plain.js";
import { Fault, Undecided } from "./signals.js";
import {
  joined,
  kindOf,
  list,
  originsIn,
  number,
  text,
  truth,
  type Amount,
  type Text,
  type Value,
} from "./values.js";
import { fits, fitsList, itemsOf, step, type Visit } from "./visit.js";

/**
 * A text made of several values by a template or `+`. The values are kept, so that people are told them in
 * words. A value without a sensible JavaScript notation, such as an object, can only be told.
 */
export function textFrom(given: readonly (string | Value)[], visit: Visit): Text {
  const values = given.filter((part) => typeof part !== "string");
  const words = given.map((part) => (typeof part === "string" ? part : worded(part, visit)));
  fits(total(words), visit);
  const flaw = values.find(isFlaw);
  const parts = partsOf(given);
  step(visit, parts.length);
  return {
    ...bounded(words.join(""), joined(values.map(originsIn)), visit),
    ...(parts.some((part) => typeof part !== "string") && { parts }),
    ...(flaw && { flaw: flaw.kind === "text" ? flaw.flaw : flaw }),
  };
}

/** Flattens the parts of texts, so that a text growing in a loop stays flat. */
function partsOf(given: readonly (string | Value)[]): (string | Value)[] {
  const parts: (string | Value)[] = [];
  for (const part of given.flatMap(flatParts)) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}

function flatParts(part: string | Value): readonly (string | Value)[] {
  if (typeof part === "string" || part.kind !== "text") return [part];
  return part.parts ?? [part.value];
}

export function bounded(value: string, origins: Value["origins"], visit: Visit): Text {
  fits(value.length, visit);
  step(visit, value.length);
  return text(value, origins);
}

function worded(value: Value, visit: Visit): string {
  if (value.kind === "object") return "[object Object]";
  if (value.kind === "nothing" && value.value === null) return "null";
  if (value.kind === "text") return value.value;
  if (value.kind !== "list") return wordsOf(value);
  const words = itemsOf(value, visit).map((item) =>
    item.kind === "nothing" ? "" : worded(item, visit),
  );
  fits(total(words) + words.length, visit);
  return words.join(",");
}

function total(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

export function wordsOf(value: Value): string {
  if (value.kind === "pending") throw new Undecided();
  if (value.kind === "date") return isoText(value);
  if (value.kind === "text") return sound(value).value;
  if (value.kind === "boolean") return String(value.value);
  if (value.kind === "number" && !Number.isNaN(value.value)) return String(value.value);
  const what = value.kind === "number" ? "NaN" : kindOf(value);
  throw new Fault(`A text is needed here, and this is ${what}.`, { value });
}

/** Whether its text would be useless to a tool. */
function isFlaw(value: Value): boolean {
  if (value.kind === "text") return value.flaw !== undefined;
  if (value.kind === "list") return value.items.some(isFlaw);
  return value.kind === "object" || value.kind === "nothing";
}

type TextMethod = keyof (typeof METHODS)["text"];
type Method = (given: string, args: readonly Value[], at: TextCall) => Value;

interface TextCall {
  origins: Value["origins"];
  visit: Visit;
  whole: Text;
}

const TEXT_METHODS: Record<TextMethod, Method> = {
  toLowerCase: (given, _, { origins, visit }) => bounded(given.toLowerCase(), origins, visit),
  toUpperCase: (given, _, { origins, visit }) => bounded(given.toUpperCase(), origins, visit),
  trim: (given, _, { origins, visit }) => bounded(given.trim(), origins, visit),
  split: (given, [by, most], { origins, visit }) => {
    const parts = given.split(wordsOf(by ?? NONE), most && wholeOf(most));
    fitsList(parts.length, visit);
    step(visit, given.length);
    return list(
      parts.map((part) => text(part, origins)),
      origins,
    );
  },
  startsWith: (given, [what, at], { origins }) =>
    truth(given.startsWith(wordsOf(what ?? NONE), at && wholeOf(at)), origins),
  endsWith: (given, [what, at], { origins }) =>
    truth(given.endsWith(wordsOf(what ?? NONE), at && wholeOf(at)), origins),
  includes: (given, [what, at], { origins }) =>
    truth(given.includes(wordsOf(what ?? NONE), at && wholeOf(at)), origins),
  indexOf: (given, [what, at], { origins }) =>
    number(given.indexOf(wordsOf(what ?? NONE), at && wholeOf(at)), origins),
  slice: (given, [first, end], { origins, visit }) =>
    bounded(given.slice(first && wholeOf(first), end && wholeOf(end)), origins, visit),
  substring: (given, [first, end], { origins, visit }) =>
    bounded(given.substring(wholeOf(first ?? ZERO), end && wholeOf(end)), origins, visit),
  charAt: (given, [at], { origins }) => text(given.charAt(wholeOf(at ?? ZERO)), origins),
  at: (given, [at], { origins }) => {
    const found = given.at(wholeOf(at ?? ZERO));
    return found === undefined ? { kind: "nothing", value: found, origins } : text(found, origins);
  },
  padStart: padded("padStart"),
  padEnd: padded("padEnd"),
  replace: (given, [what, by], { origins, visit }) =>
    bounded(
      given.replace(wordsOf(what ?? NONE), () => wordsOf(by ?? NONE)),
      origins,
      visit,
    ),
  replaceAll: (given, [what, by], { origins, visit }) => {
    const [parts, between] = [given.split(wordsOf(what ?? NONE)), wordsOf(by ?? NONE)];
    fits(given.length + parts.length * between.length, visit);
    step(visit, given.length);
    return bounded(
      given.replaceAll(wordsOf(what ?? NONE), () => between),
      origins,
      visit,
    );
  },
  concat: (_, args, { whole, visit }) => textFrom([whole, ...args], visit),
  repeat: (given, [times], { origins, visit }) => {
    const count = wholeOf(times ?? ZERO);
    if (count < 0) throw new Fault(`A text cannot be repeated ${count} times.`);
    fits(given.length * count, visit);
    return bounded(given.repeat(count), origins, visit);
  },
  localeCompare: (given, [other], { origins }) =>
    number(given.localeCompare(wordsOf(other ?? NONE), "en"), origins),
  toString: (_, __, { whole }) => whole,
};

function padded(side: "padStart" | "padEnd"): Method {
  return (given, [length, by], { origins, visit }) => {
    const size = wholeOf(length ?? ZERO);
    fits(size, visit);
    return bounded(given[side](size, by && wordsOf(by)), origins, visit);
  };
}

/** Calls a method of a text; its arguments must be known. */
export function textMethod(name: TextMethod, whole: Text, args: readonly Value[], visit: Visit) {
  const origins = joined([whole, ...args].map((value) => value.origins));
  const given = name === "concat" || name === "toString" ? whole.value : sound(whole).value;
  return TEXT_METHODS[name](given, args, { origins, visit, whole });
}

const NONE = text("");
const ZERO = number(0);

export function wholeOf(value: Value): number {
  return Math.trunc(numberOf(value));
}

type NumberMethod = keyof (typeof METHODS)["number"];

const NUMBER_METHODS: Record<NumberMethod, (given: number, args: readonly Value[]) => string> = {
  toFixed: (given, [digits]) => given.toFixed(between(digits, 0, 100) ?? 0),
  toString: (given, [radix]) => given.toString(between(radix, 2, 36) ?? 10),
  toLocaleString: (given, [, options]) => given.toLocaleString("en", digitsOf(options)),
};

export function numberMethod(name: NumberMethod, whole: Amount, args: readonly Value[]): Value {
  return text(
    NUMBER_METHODS[name](numberOf(whole), args),
    joined([whole, ...args].map(({ origins }) => origins)),
  );
}

function between(value: Value | undefined, least: number, most: number): number | undefined {
  if (!value || value.kind === "nothing") return undefined;
  const whole = wholeOf(value);
  if (whole >= least && whole <= most) return whole;
  throw new Fault(`${whole} is not between ${least} and ${most}.`, { value });
}

const DIGITS = ["minimumFractionDigits", "maximumFractionDigits"] as const;

/** Of the number formats, only decimals and grouping are supported. */
function digitsOf(options: Value | undefined): Intl.NumberFormatOptions {
  if (options?.kind !== "object") return {};
  const { fields } = options;
  const digits = DIGITS.map((key) => [key, between(fields[key], 0, 100)] as const);
  const { minimumFractionDigits = 0, maximumFractionDigits = Math.max(3, minimumFractionDigits) } =
    Object.fromEntries(digits.filter(([, count]) => count !== undefined));
  return {
    minimumFractionDigits: Math.min(minimumFractionDigits, maximumFractionDigits),
    maximumFractionDigits,
    useGrouping: !fields.useGrouping || isTrue(fields.useGrouping),
  };
}
