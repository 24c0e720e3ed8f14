/*
 * What a program can call besides tools, with its type for the type check. The reader and the interpreter follow these
 * tables, too. All of it does what JavaScript does, except that a mistake is told where JavaScript would go on with
 * NaN, undefined or "[object Object]".
 */

const TEST = "(test: (item: T, index: number, list: T[]) => any): boolean";
const FIND = "(test: (item: T, index: number, list: T[]) => any): T";
const POSITION = "(test: (item: T, index: number, list: T[]) => any): number";
const INDEX = "(item: T, from?: number): number";
const REDUCE = "<U = T>(each: (total: U, item: T, index: number, list: T[]) => U, first?: U): U";
const SORT = "(compare?: (one: T, other: T) => any): T[]";
const ITSELF = "(): T[]";

const WORDS = "(): string";
const LOCAL = "(locales?: any, options?: any): string";
const COUNT = "(): number";
const SET_TIME = "(value: number, ...more: number[]): number";
const ANY = "(...values: any[]): any";

const TIME_PARTS = "FullYear Month Date Day Hours Minutes Seconds Milliseconds".split(" ");

/** Methods by kind of value. */
export const METHODS = {
  list: {
    at: "(index: number): T",
    concat: "(...more: (T | T[])[]): T[]",
    entries: "(): [number, T][]",
    every: TEST,
    fill: "(value: any, from?: number, to?: number): any[]",
    filter: "(test: (item: T, index: number, list: T[]) => any): T[]",
    find: FIND,
    findIndex: POSITION,
    findLast: FIND,
    findLastIndex: POSITION,
    flat: "(depth?: number): T extends (infer U)[] ? U[] : T[]",
    flatMap: "<U>(each: (item: T, index: number, list: T[]) => U | U[]): U[]",
    forEach: "(each: (item: T, index: number, list: T[]) => any): void",
    includes: "(item: T, from?: number): boolean",
    indexOf: INDEX,
    join: "(between?: string): string",
    keys: "(): number[]",
    lastIndexOf: INDEX,
    map: "<U>(each: (item: T, index: number, list: T[]) => U): U[]",
    pop: "(): T",
    push: "(...items: any[]): number",
    reduce: REDUCE,
    reduceRight: REDUCE,
    reverse: ITSELF,
    shift: "(): T",
    slice: "(from?: number, to?: number): T[]",
    some: TEST,
    sort: SORT,
    splice: "(from: number, count?: number, ...items: any[]): T[]",
    toArray: ITSELF,
    toReversed: ITSELF,
    toSorted: SORT,
    toSpliced: "(from: number, count?: number, ...items: any[]): T[]",
    toString: WORDS,
    unshift: "(...items: any[]): number",
    values: ITSELF,
    with: "(index: number, value: any): T[]",
  },
  text: {
    at: "(index: number): string",
    charAt: "(index?: number): string",
    charCodeAt: "(index?: number): number",
    codePointAt: "(index?: number): number",
    concat: "(...more: any[]): string",
    endsWith: "(text: string, to?: number): boolean",
    includes: "(text: string, from?: number): boolean",
    indexOf: "(text: string, from?: number): number",
    lastIndexOf: "(text: string, from?: number): number",
    localeCompare: "(other: string, locales?: any, options?: any): number",
    match: "(pattern: any): any",
    matchAll: "(pattern: any): any[]",
    normalize: "(form?: string): string",
    padEnd: "(length: number, fill?: string): string",
    padStart: "(length: number, fill?: string): string",
    repeat: "(times: number): string",
    replace: "(text: any, by: any): string",
    replaceAll: "(text: any, by: any): string",
    search: "(pattern: any): number",
    slice: "(from?: number, to?: number): string",
    split: "(between?: any, most?: number): string[]",
    startsWith: "(text: string, from?: number): boolean",
    substr: "(from: number, length?: number): string",
    substring: "(from: number, to?: number): string",
    toLocaleLowerCase: "(locales?: any): string",
    toLocaleUpperCase: "(locales?: any): string",
    toLowerCase: WORDS,
    toString: WORDS,
    toUpperCase: WORDS,
    trim: WORDS,
    trimEnd: WORDS,
    trimStart: WORDS,
    valueOf: WORDS,
  },
  number: {
    toExponential: "(digits?: number): string",
    toFixed: "(digits?: number): string",
    toLocaleString: LOCAL,
    toPrecision: "(digits?: number): string",
    toString: "(base?: number): string",
    valueOf: COUNT,
  },
  date: {
    ...timeMethods(),
    getTime: COUNT,
    getTimezoneOffset: COUNT,
    setTime: SET_TIME,
    toDateString: WORDS,
    toISOString: WORDS,
    toJSON: WORDS,
    toLocaleDateString: LOCAL,
    toLocaleString: LOCAL,
    toLocaleTimeString: LOCAL,
    toString: WORDS,
    toTimeString: WORDS,
    toUTCString: WORDS,
    valueOf: COUNT,
  },
  map: methods("clear delete entries forEach get has keys set values"),
  set: methods(
    "add clear delete difference entries forEach has intersection isDisjointFrom isSubsetOf isSupersetOf keys symmetricDifference union values",
  ),
  pattern: methods("exec test toString"),
  format: methods("compare format formatRange formatToParts of resolvedOptions select"),
} as const;

/** Methods of any value: those of objects, and those of promises, since a value may have been one. */
const METHODS_OF_ALL: ReadonlySet<string> = new Set(
  "hasOwnProperty toString then catch finally".split(" "),
);

/** Methods that change the value they belong to; `exec` and `test` go on where the last match ended. */
export const CHANGING: ReadonlySet<string> = new Set(
  `push pop shift unshift splice sort reverse fill set add delete clear exec test setTime ${Object.keys(
    timeMethods(),
  )
    .filter((name) => name.startsWith("set"))
    .join(" ")}`.split(" "),
);

function methods(names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, ANY]));
}

function timeMethods(): Record<string, string> {
  return Object.fromEntries(
    TIME_PARTS.flatMap((part) => [
      [`get${part}`, COUNT],
      [`getUTC${part}`, COUNT],
      ...(part === "Day" ? [] : [`set${part}`, `setUTC${part}`].map((name) => [name, SET_TIME])),
    ]),
  ) as Record<string, string>;
}

const ANY_TO_BOOLEAN = "(value?: any): boolean";
const ANY_TO_TEXT = "(value?: any): string";
const ONE_NUMBER = "(value: number): number";
const TWO_NUMBERS = "(one: number, other: number): number";
const NUMBERS = "(...values: (number | number[])[]): number";

/**
 * Functions by their full name, as helper expressions carry it. `Math.max`, `Math.min` and `Math.hypot` take
 * numbers, or one list of numbers.
 */
export const HELPERS = {
  daysBetween: "(from: string | Date, to: string | Date): number",
  addDays: "(date: string | Date, days: number): string",
  sum: "(list: number[]): number",
  average: "(list: number[]): number",
  round: "(value: number, digits?: number): number",
  unique: "<T>(list: T[]): T[]",
  groupBy: "<T, K>(list: T[], key: (item: T, index: number) => K): { key: K; items: T[] }[]",
  /** Says that the request takes no function; its value is the answer. */
  noFunctionNeeded: "(answer: string): string",

  Number: "(value?: any): number",
  String: ANY_TO_TEXT,
  Boolean: ANY_TO_BOOLEAN,
  parseInt: "(text: any, base?: number): number",
  parseFloat: "(text: any): number",
  isNaN: ANY_TO_BOOLEAN,
  isFinite: ANY_TO_BOOLEAN,
  structuredClone: "<T>(value: T): T",
  encodeURIComponent: ANY_TO_TEXT,
  decodeURIComponent: ANY_TO_TEXT,
  encodeURI: ANY_TO_TEXT,
  decodeURI: ANY_TO_TEXT,
  atob: ANY_TO_TEXT,
  btoa: ANY_TO_TEXT,

  "Number.isInteger": ANY_TO_BOOLEAN,
  "Number.isSafeInteger": ANY_TO_BOOLEAN,
  "Number.isFinite": ANY_TO_BOOLEAN,
  "Number.isNaN": ANY_TO_BOOLEAN,
  "String.fromCharCode": "(...codes: number[]): string",
  "String.fromCodePoint": "(...codes: number[]): string",
  "Object.keys": "(record: any): string[]",
  "Object.values": "<T = any>(record: { [key: string]: T }): T[]",
  "Object.entries": "<T = any>(record: { [key: string]: T }): [string, T][]",
  "Object.fromEntries": "(entries: any): any",
  "Object.assign": ANY,
  "Object.freeze": "<T>(value: T): T",
  "Object.groupBy": "(list: any, key: any): any",
  "Object.hasOwn": "(value: any, key: any): boolean",
  "Object.is": "(one: any, other: any): boolean",
  "Map.groupBy": "(list: any, key: any): any",
  "Array.isArray": "(value: any): value is any[]",
  "Array.from": "(list: any, each?: (item: any, index: number) => any): any[]",
  "Array.of": "<T>(...items: T[]): T[]",
  "JSON.stringify": "(value: any, replacer?: any, space?: any): string",
  "JSON.parse": "(text: any, reviver?: any): any",
  "Date.now": COUNT,
  "Date.parse": "(text: any): number",
  "Date.UTC": "(year: number, ...more: number[]): number",
  "Promise.all": "<T extends any[] | []>(values: T): { [K in keyof T]: T[K] }",
  "Promise.allSettled": "(values: any): any[]",
  "Promise.resolve": "<T>(value?: T): T",
  "Promise.reject": "(reason?: any): any",

  ...mathHelpers(
    "abs acos acosh asin asinh atan atanh cbrt ceil clz32 cos cosh exp expm1 floor fround log log10 log1p log2 round sign sin sinh sqrt tan tanh trunc",
    ONE_NUMBER,
  ),
  ...mathHelpers("atan2 imul pow", TWO_NUMBERS),
  ...mathHelpers("hypot max min", NUMBERS),
} as const satisfies Record<string, string>;

function mathHelpers(names: string, type: string): Record<`Math.${string}`, string> {
  return Object.fromEntries(names.split(" ").map((name) => [`Math.${name}`, type]));
}

export type HelperName = keyof typeof HELPERS;

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
  "Intl.RelativeTimeFormat",
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
