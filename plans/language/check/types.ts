import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { otherArguments, otherFields } from "../../../common/schemas/otherArguments.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import { inBrackets, keyText } from "../../../common/schemas/typeText.js";
import { IS_ID } from "../../steps/fitValue.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { CONSTANTS, HELPERS, METHODS, NAMES } from "../language.js";

/*
 * Types that a program is checked against, each in one line of TypeScript. They are wider than the schemas wherever
 * the program would still run: a single value is accepted for a list, and a list of one for a single value; a day,
 * number or boolean for any text; and a tool that declares no result may give anything.
 */

export function takenType(parameters: JsonSchema): string {
  const inlined = inlineRefs(parameters);
  const others = otherArguments(parameters) === "taken";
  const { properties } = inlined;
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  const required = new Set(Array.isArray(inlined["required"]) ? inlined["required"] : []);
  // A parameter with a default is filled in, even if the schema calls it required.
  const isDemanded = (name: string, schema: unknown): boolean =>
    required.has(name) && !(isSchema(schema) && Object.hasOwn(schema, "default"));
  const parts = fields.map(
    ([name, schema]) =>
      `${keyText(name)}${isDemanded(name, schema) ? "" : "?"}: ${wide(schema)}${isOneId(name, schema) ? " | { id: string }" : ""}`,
  );
  if (others) parts.push(ANYTHING);
  // TypeScript accepts any object for one without fields.
  return `{ ${parts.length > 0 ? parts.join("; ") : "$nothing?: never"} }`;
}

/** An object with an id is taken for the id. */
function isOneId(name: string, schema: unknown): boolean {
  return IS_ID.test(name) && isSchema(schema) && schema["type"] === "string" && !schema["enum"];
}

export function givenType(returns: JsonSchema | undefined): string {
  return returns ? given(inlineRefs(returns)) : "any";
}

const ANYTHING = "[other: string]: any";

function wide(schema: unknown): string {
  const type = typeOf(schema, {
    text: "string | number | boolean | Date",
    inner: wide,
    list: (items) => `$_some<${items}>`,
    mark: "?",
  });
  return type === "any" ? type : `$_one<${type}>`;
}

function given(schema: unknown): string {
  return typeOf(schema, {
    text: "string",
    inner: given,
    list: (items) => `${inBrackets(items)}[]`,
    mark: "",
  });
}

interface Writing {
  text: string;
  inner: (schema: unknown) => string;
  list: (items: string) => string;
  mark: string;
}

function typeOf(schema: unknown, writing: Writing): string {
  if (!isSchema(schema)) return "any";
  const { enum: choices, const: only, anyOf, oneOf, allOf, type, properties } = schema;
  if (only !== undefined) return literalType(only);
  if (Array.isArray(choices)) return union(choices.map(literalType));
  const alternatives = [anyOf, oneOf].find((one) => Array.isArray(one));
  if (alternatives) return union(merged(alternatives).map(writing.inner));
  if (Array.isArray(allOf)) return allOf.map((part) => inBrackets(writing.inner(part))).join(" & ");
  if (Array.isArray(type)) return union(type.map((one) => writing.inner({ ...schema, type: one })));
  if (type === "array") return writing.list(writing.inner(schema["items"]));
  if (type === "object" || isSchema(properties)) return objectType(schema, writing);
  if (type === "string") return writing.text;
  return (typeof type === "string" ? PLAIN.get(type) : undefined) ?? "any";
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

/** A boolean literal allows both values, because variables change. */
function literalType(value: unknown): string {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "object" && value !== null) return "any";
  return JSON.stringify(value);
}

function objectType(schema: JsonSchema, { inner, mark }: Writing): string {
  const { properties } = schema;
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  if (fields.length === 0) return "any";
  const parts = fields.map(([name, field]) => `${keyText(name)}${mark}: ${inner(field)}`);
  if (otherFields(schema) === "taken") parts.push(ANYTHING);
  return `{ ${parts.join("; ")} }`;
}

/** Merges alternative objects into one with all fields, because a program may test for a field that only one has. */
function merged(alternatives: readonly unknown[]): unknown[] {
  const objects = alternatives.filter(isObject);
  if (objects.length < 2) return [...alternatives];
  const fields = new Map<string, unknown[]>();
  for (const { properties } of objects) {
    for (const [name, schema] of Object.entries(properties))
      fields.set(name, [...(fields.get(name) ?? []), schema]);
  }
  const properties = Object.fromEntries([...fields].map(([name, anyOf]) => [name, { anyOf }]));
  return [...alternatives.filter((one) => !isObject(one)), { type: "object", properties }];
}

function isObject(one: unknown): one is JsonSchema & { properties: JsonSchema } {
  return isSchema(one) && isSchema(one["properties"]);
}

function union(types: readonly string[]): string {
  return [...new Set(types.map(inBrackets))].join(" | ") || "any";
}

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
  `interface BigInt { ${methods(METHODS.bigint)} }`,
  `type Date = number & { ${methods(METHODS.date)} };`,
  "interface Boolean { toString(): string; } interface Object { hasOwnProperty(key: any): boolean; then: any; catch: any; finally: any; }",
  "interface Function {} interface IArguments {} interface RegExp {}",
  "interface CallableFunction {} interface NewableFunction {}",
  ...Object.entries(HELPERS).map(([name, type]) => `declare function ${helperName(name)}${type};`),
  ...Object.keys(CONSTANTS).map((name) => `declare const ${helperName(name)}: number;`),
  ...NAMES.map((name) => `declare const ${name}: string;`),
  // One thing and a list of one are the same, because arguments are fitted to their tool.
  "type $_one<T> = T | [T]; type $_some<T> = T | T[];",
  "declare function $_call(args: any): any;",
  // An object of arguments, or the value of one.
  "declare function $_given<K extends string, V>(key: K, value: V): V extends string | number | boolean | null | any[] ? { [key in K]: V } : V;",
  "declare function $_date(...values: any[]): Date;",
  "declare function $_list_of(...values: any[]): any[];",
  "declare function $_look(value: any, question: string): string;",
  "declare function $_stop(reason: any): never;",
  // Anything that TypeScript need not follow, such as what is assigned to.
  "declare function $_as(value: any): any;",
  // An object of a type that may have more fields.
  "type $_Open<T> = T extends any[] ? any : T extends (...values: any[]) => any ? T : T extends object ? { [K in keyof T]: $_Open<T[K]> } & { [field: string]: any } : T;",
  "declare function $_open<T>(value: T): $_Open<T>;",
  // Literals whose type says nothing about later values.
  "declare const $_boolean: boolean; declare const $_list: any[]; declare const $_any: any;",
].join("\n");

function methods(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([name, type]) => `${name}${type};`)
    .join(" ");
}
