import { readSections } from "../../common/dataFile.js";

/*
 * What a program can call besides tools, with its type for the type check (language.txt). The reader and the interpreter
 * follow these tables, too. All of it does what JavaScript does, except that a mistake is told where JavaScript would go on
 * with NaN, undefined or "[object Object]".
 */

const { helpers = {}, ...kinds } = Object.fromEntries(
  Object.entries(readSections(new URL("language.txt", import.meta.url))).map(([kind, lines]) => [
    kind,
    Object.fromEntries(lines.map((line) => /^([\w.]+)(.*)$/.exec(line)?.slice(1) ?? [])),
  ]),
) as Record<string, Types>;

type Types = Readonly<Record<string, string>>;

export const METHODS = kinds as Record<
  "list" | "text" | "number" | "bigint" | "date" | "map" | "set" | "pattern" | "format",
  Types
>;

/**
 * Functions by their full name, as helper expressions carry it. `noFunctionNeeded` says that the request takes no function;
 * its value is the answer. `Math.max`, `Math.min` and `Math.hypot` take numbers, or one list of numbers.
 */
export const HELPERS: Types = helpers;

/** Methods of any value: those of objects, and those of promises, since a value may have been one. */
const METHODS_OF_ALL: ReadonlySet<string> = new Set(
  "hasOwnProperty toString then catch finally".split(" "),
);

/** Methods that change the value they belong to; `exec` and `test` go on where the last match ended. */
export const CHANGING: ReadonlySet<string> = new Set([
  ..."push pop shift unshift splice sort reverse fill set add delete clear exec test".split(" "),
  ...Object.keys(METHODS.date).filter((name) => name.startsWith("set")),
]);

/** Helpers without arguments. */
export const CONSTANTS: Readonly<Record<string, number>> = Object.fromEntries([
  ...(["E", "LN2", "LN10", "LOG2E", "LOG10E", "PI", "SQRT1_2", "SQRT2"] as const).map((name) => [
    `Math.${name}`,
    Math[name],
  ]),
  ...(["EPSILON", "MAX_SAFE_INTEGER", "MIN_SAFE_INTEGER", "MAX_VALUE", "MIN_VALUE"] as const).map(
    (name) => [`Number.${name}`, Number[name]],
  ),
]) as Record<string, number>;

/** Numbers that no tool and no answer can be given, but comparisons can start from. */
export const ENDLESS: Readonly<Record<string, number>> = {
  "Number.POSITIVE_INFINITY": Number.POSITIVE_INFINITY,
  "Number.NEGATIVE_INFINITY": Number.NEGATIVE_INFINITY,
  "Number.NaN": Number.NaN,
};

/** What `new` makes, besides errors (names that end with `Error`). */
export const CLASSES: ReadonlySet<string> = new Set([
  ..."Array Date Map Object RegExp Set Intl.Collator Intl.DateTimeFormat".split(" "),
  ..."Intl.DisplayNames Intl.ListFormat Intl.NumberFormat Intl.PluralRules".split(" "),
  ..."Intl.RelativeTimeFormat Intl.Segmenter WeakMap WeakSet".split(" "),
]);

/** Predefined names; `today` is the day of the run, "2026-03-01". */
export const NAMES = ["today"] as const;

/** Functions that control the run instead of computing something, with the number of their arguments. */
const CONTROLS: Readonly<Record<string, number>> = { need: 1, look: 2, stop: 1 };

/** Properties that would reach a value's prototype; no value has them. */
export const NO_PROPERTIES: ReadonlySet<string> = new Set(
  "__proto__ constructor prototype __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__".split(
    " ",
  ),
);

/** Whether some kind of value has the method. */
export function isMethod(name: string): boolean {
  return (
    METHODS_OF_ALL.has(name) || Object.values(METHODS).some((table) => Object.hasOwn(table, name))
  );
}

export function isHelper(name: string): boolean {
  return Object.hasOwn(HELPERS, name);
}

/** How many arguments a control takes; undefined for anything else. */
export function controlNamed(name: string): number | undefined {
  return Object.hasOwn(CONTROLS, name) ? CONTROLS[name] : undefined;
}
