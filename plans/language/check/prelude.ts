import {
  CONSTANTS,
  HELPERS,
  type HelperName,
  type METHODS,
  NAMES,
  type Takes,
} from "../language.js";

/*
 * What the type check knows besides the tools: declarations of the language in language.ts, without TypeScript's own
 * library, which takes a second to read.
 */

type Declared<Kind extends keyof typeof METHODS> = Record<keyof (typeof METHODS)[Kind], string>;

const LIST: Declared<"list"> = {
  map: "<U>(each: (item: T, index: number, list: T[]) => U): U[]",
  filter: "(test: (item: T, index: number, list: T[]) => any): T[]",
  find: "(test: (item: T, index: number, list: T[]) => any): T",
  findLast: "(test: (item: T, index: number, list: T[]) => any): T",
  findIndex: "(test: (item: T, index: number, list: T[]) => any): number",
  some: "(test: (item: T, index: number, list: T[]) => any): boolean",
  every: "(test: (item: T, index: number, list: T[]) => any): boolean",
  flatMap: "<U>(each: (item: T, index: number, list: T[]) => U | U[]): U[]",
  includes: "(item: T, from?: number): boolean",
  indexOf: "(item: T, from?: number): number",
  slice: "(from?: number, to?: number): T[]",
  concat: "(...more: (T | T[])[]): T[]",
  join: "(between?: string): string",
  flat: "(depth?: number): T extends (infer U)[] ? U[] : T[]",
  reduce: "<U = T>(each: (total: U, item: T, index: number, list: T[]) => U, first?: U): U",
  sort: "(compare?: (one: T, other: T) => any): T[]",
  reverse: "(): T[]",
  at: "(index: number): T",
};

const TEXT: Declared<"text"> = {
  toLowerCase: "(): string",
  toUpperCase: "(): string",
  trim: "(): string",
  split: "(between: string, most?: number): string[]",
  startsWith: "(text: string, from?: number): boolean",
  endsWith: "(text: string, to?: number): boolean",
  includes: "(text: string, from?: number): boolean",
  indexOf: "(text: string, from?: number): number",
  slice: "(from?: number, to?: number): string",
  substring: "(from: number, to?: number): string",
  charAt: "(index?: number): string",
  at: "(index: number): string",
  padStart: "(length: number, fill?: string): string",
  padEnd: "(length: number, fill?: string): string",
  replace: "(text: string, by: string): string",
  replaceAll: "(text: string, by: string): string",
  concat: "(...more: any[]): string",
  repeat: "(times: number): string",
  localeCompare: "(other: string, locales?: any, options?: any): number",
  toString: "(): string",
};

const NUMBER: Declared<"number"> = {
  toFixed: "(digits?: number): string",
  toString: "(base?: number): string",
  toLocaleString: "(locales?: any, options?: any): string",
};

const DATE: Declared<"date"> = {
  getTime: "(): number",
  valueOf: "(): number",
  toISOString: "(): string",
  getFullYear: "(): number",
  getMonth: "(): number",
  getDate: "(): number",
  getDay: "(): number",
  getHours: "(): number",
  getMinutes: "(): number",
};

const ANY_TO_BOOLEAN = "(value?: any): boolean";

const HELPER_TYPES: Record<Exclude<HelperName, `Math.${string}`>, string> = {
  daysBetween: "(from: string | Date, to: string | Date): number",
  addDays: "(date: string | Date, days: number): string",
  sum: "(list: number[]): number",
  average: "(list: number[]): number",
  round: "(value: number, digits?: number): number",
  unique: "<T>(list: T[]): T[]",
  groupBy: "<T, K>(list: T[], key: (item: T, index: number) => K): { key: K; items: T[] }[]",
  noFunctionNeeded: "(answer: string): string",
  Number: "(value?: any): number",
  String: "(value?: any): string",
  Boolean: ANY_TO_BOOLEAN,
  parseInt: "(text: any, base?: number): number",
  parseFloat: "(text: any): number",
  isNaN: ANY_TO_BOOLEAN,
  isFinite: ANY_TO_BOOLEAN,
  "Number.isInteger": ANY_TO_BOOLEAN,
  "Number.isFinite": ANY_TO_BOOLEAN,
  "Number.isNaN": ANY_TO_BOOLEAN,
  "Object.keys": "(record: any): string[]",
  "Object.values": "<T>(record: { [key: string]: T }): T[]",
  "Object.entries": "<T>(record: { [key: string]: T }): [string, T][]",
  "Object.fromEntries": "(entries: any[]): any",
  "Array.isArray": "(value: any): value is any[]",
  "Array.from": "<T>(list: T[], each?: (item: T, index: number) => any): any[]",
  "JSON.stringify": "(value: any, replacer?: any, space?: any): string",
  "Date.now": "(): number",
};

function mathType({ most }: Takes): string {
  if (most > 2) return "(...values: (number | number[])[]): number";
  return most === 1 ? "(value: number): number" : "(one: number, other: number): number";
}

/** Name of a helper or constant in the checked text; no name in a program starts like this. */
export function helperName(name: string): string {
  return `$_${name.replaceAll(".", "_")}`;
}

/** A date is a number with methods, so dates can be compared and subtracted. */
export const PRELUDE = [
  `interface Array<T> { length: number; [index: number]: T; ${methods(LIST)} }`,
  `interface String { length: number; [index: number]: string; ${methods(TEXT)} }`,
  `interface Number { ${methods(NUMBER)} }`,
  `type Date = number & { ${methods(DATE)} };`,
  "interface Boolean {} interface Object {} interface Function {} interface IArguments {} interface RegExp {}",
  "interface CallableFunction {} interface NewableFunction {}",
  ...Object.entries(HELPER_TYPES).map(
    ([name, type]) => `declare function ${helperName(name)}${type};`,
  ),
  ...Object.entries(HELPERS)
    .filter(([name]) => name.startsWith("Math."))
    .map(([name, takes]) => `declare function ${helperName(name)}${mathType(takes)};`),
  ...Object.keys(CONSTANTS).map((name) => `declare const ${helperName(name)}: number;`),
  ...NAMES.map((name) => `declare const ${name}: string;`),
  // One thing and a list of one are the same, because arguments are fitted to their tool.
  "type $_one<T> = T | [T]; type $_some<T> = T | T[];",
  "declare function $_call(args: any): any;",
  "declare function $_date(value?: string | number | Date): Date;",
  "declare function $_look(value: any, question: string): string;",
  "declare function $_all<T extends any[] | []>(values: T): { [K in keyof T]: T[K] };",
  // Literals whose type says nothing about later values.
  "declare const $_boolean: boolean; declare const $_list: any[]; declare const $_any: any;",
].join("\n");

function methods(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([name, type]) => `${name}${type};`)
    .join(" ");
}
