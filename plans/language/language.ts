/*
 * What a program can call besides tools. The reader, the interpreter and the declarations for the type check all
 * follow this table, so add a name there too.
 */

export interface Takes {
  least: number;
  most: number;
  /** Position of the only argument that may be a function. */
  callback?: number;
}

/** Any number of arguments. If some are spread (`Math.max(...list)`), the reader passes one list of all. */
const MANY = 1000;

const nothing = { least: 0, most: 0 } as const;
const one = { least: 1, most: 1 } as const;
const perhaps = { least: 0, most: 1 } as const;
const oneOrTwo = { least: 1, most: 2 } as const;
const two = { least: 2, most: 2 } as const;
const many = { least: 0, most: MANY } as const;
const each = { least: 1, most: 1, callback: 0 } as const;

/** Methods by kind of value; lists and texts also have `.length`. */
export const METHODS = {
  list: {
    map: each,
    filter: each,
    find: each,
    findLast: each,
    findIndex: each,
    some: each,
    every: each,
    flatMap: each,
    includes: oneOrTwo,
    indexOf: oneOrTwo,
    slice: { least: 0, most: 2 },
    concat: many,
    join: perhaps,
    flat: perhaps,
    reduce: { least: 1, most: 2, callback: 0 },
    sort: { least: 0, most: 1, callback: 0 },
    reverse: nothing,
    at: one,
  },
  text: {
    toLowerCase: nothing,
    toUpperCase: nothing,
    trim: nothing,
    split: oneOrTwo,
    startsWith: oneOrTwo,
    endsWith: oneOrTwo,
    includes: oneOrTwo,
    indexOf: oneOrTwo,
    slice: { least: 0, most: 2 },
    substring: oneOrTwo,
    charAt: perhaps,
    at: one,
    padStart: oneOrTwo,
    padEnd: oneOrTwo,
    replace: two,
    replaceAll: two,
    concat: many,
    repeat: one,
    localeCompare: { least: 1, most: 3 },
    toString: nothing,
  },
  number: {
    toFixed: perhaps,
    toString: perhaps,
    toLocaleString: { least: 0, most: 2 },
  },
  date: {
    getTime: nothing,
    valueOf: nothing,
    toISOString: nothing,
    getFullYear: nothing,
    getMonth: nothing,
    getDate: nothing,
    getDay: nothing,
    getHours: nothing,
    getMinutes: nothing,
  },
} as const satisfies Record<string, Record<string, Takes>>;

export type ValueKind = keyof typeof METHODS;

/**
 * Functions by their full name, as helper expressions carry it. `Math.max`, `Math.min` and `Math.hypot` take
 * numbers, or one list of numbers.
 */
export const HELPERS = {
  daysBetween: two,
  addDays: two,
  sum: one,
  average: one,
  round: oneOrTwo,
  unique: one,
  groupBy: { least: 2, most: 2, callback: 1 },
  /** Says that the request takes no function; its value is the answer. */
  noFunctionNeeded: one,

  Number: perhaps,
  String: perhaps,
  Boolean: perhaps,
  parseInt: oneOrTwo,
  parseFloat: one,
  isNaN: one,
  isFinite: one,

  "Number.isInteger": one,
  "Number.isFinite": one,
  "Number.isNaN": one,
  "Object.keys": one,
  "Object.values": one,
  "Object.entries": one,
  "Object.fromEntries": one,
  "Array.isArray": one,
  "Array.from": { least: 1, most: 2, callback: 1 },
  "JSON.stringify": { least: 1, most: 3 },
  "Date.now": nothing,

  "Math.abs": one,
  "Math.acos": one,
  "Math.asin": one,
  "Math.atan": one,
  "Math.atan2": two,
  "Math.cbrt": one,
  "Math.ceil": one,
  "Math.cos": one,
  "Math.exp": one,
  "Math.floor": one,
  "Math.hypot": many,
  "Math.log": one,
  "Math.log10": one,
  "Math.log2": one,
  "Math.max": many,
  "Math.min": many,
  "Math.pow": two,
  "Math.round": one,
  "Math.sign": one,
  "Math.sin": one,
  "Math.sqrt": one,
  "Math.tan": one,
  "Math.trunc": one,
} as const satisfies Record<string, Takes>;

export type HelperName = keyof typeof HELPERS;

/** Helpers without arguments. */
export const CONSTANTS = {
  "Math.E": Math.E,
  "Math.LN2": Math.LN2,
  "Math.PI": Math.PI,
  "Math.SQRT2": Math.SQRT2,
  "Number.MAX_SAFE_INTEGER": Number.MAX_SAFE_INTEGER,
} as const;

/** Predefined names; `today` is the day of the run, "2026-03-01". */
export const NAMES = ["today"] as const;

/** Functions that control the run instead of computing something, with their arguments. */
const CONTROLS = { need: one, look: two, stop: one } as const satisfies Record<string, Takes>;

/** Properties that would reach a value's prototype; no value has them. */
export const NO_PROPERTIES: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
]);

/** The arguments of a method of any kind of value; the widest of several. */
export function methodNamed(name: string): Takes | undefined {
  const found = Object.values(METHODS).flatMap((methods) => taken(methods, name) ?? []);
  const [first] = found;
  return (
    first && {
      ...first,
      least: Math.min(...found.map(({ least }) => least)),
      most: Math.max(...found.map(({ most }) => most)),
    }
  );
}

export function helperNamed(name: string): Takes | undefined {
  return taken(HELPERS, name);
}

export function controlNamed(name: string): Takes | undefined {
  return taken(CONTROLS, name);
}

function taken(table: Readonly<Record<string, Takes>>, name: string): Takes | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
