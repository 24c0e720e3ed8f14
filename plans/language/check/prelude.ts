import { CONSTANTS, HELPERS, METHODS, NAMES } from "../language.js";

/*
 * What the type check knows besides the tools: declarations of the language in language.ts, without TypeScript's own
 * library, which takes a second to read.
 */

/** Name of a helper or constant in the checked text; no name in a program starts like this. */
export function helperName(name: string): string {
  return `$_${name.replaceAll(".", "_")}`;
}

/** A date is a number with methods, so dates can be compared and subtracted. Maps and Sets hold anything. */
export const PRELUDE = [
  `interface Array<T> { length: number; [index: number]: T; ${methods(METHODS.list)} }`,
  `interface String { length: number; [index: number]: string; ${methods(METHODS.text)} }`,
  `interface Number { ${methods(METHODS.number)} }`,
  `type Date = number & { ${methods(METHODS.date)} };`,
  "interface Boolean { toString(): string; } interface Object { hasOwnProperty(key: any): boolean; }",
  "interface Function {} interface IArguments {} interface RegExp {}",
  "interface CallableFunction {} interface NewableFunction {}",
  ...Object.entries(HELPERS).map(([name, type]) => `declare function ${helperName(name)}${type};`),
  ...Object.keys(CONSTANTS).map((name) => `declare const ${helperName(name)}: number;`),
  ...NAMES.map((name) => `declare const ${name}: string;`),
  // One thing and a list of one are the same, because arguments are fitted to their tool.
  "type $_one<T> = T | [T]; type $_some<T> = T | T[];",
  "declare function $_call(args: any): any;",
  "declare function $_date(...values: any[]): Date;",
  "declare function $_list_of(...values: any[]): any[];",
  "declare function $_look(value: any, question: string): string;",
  "declare function $_stop(reason: any): never;",
  // Anything that TypeScript need not follow, such as what is assigned to.
  "declare function $_as(value: any): any;",
  // Literals whose type says nothing about later values.
  "declare const $_boolean: boolean; declare const $_list: any[]; declare const $_any: any;",
].join("\n");

function methods(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([name, type]) => `${name}${type};`)
    .join(" ");
}
