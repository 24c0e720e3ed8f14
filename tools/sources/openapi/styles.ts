import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import type { HttpPlace } from "../../tool.js";

/** A name and a value of a query, form or cookie, not yet encoded. */
export type Pair = readonly [name: string, value: string];

/** The separators between the values of a list. */
const DELIMITERS: Record<string, string> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/**
 * An argument as OpenAPI writes it into a query, a form or cookies: a list as several pairs or one; an object as its
 * fields, as `name[field]`, or as one pair.
 */
export function pairsOf(
  place: Pick<HttpPlace, "name" | "style" | "explode">,
  value: unknown,
): Pair[] {
  const { name, style = "form", explode = style === "form" || style === "deepObject" } = place;
  if (value === undefined || value === null) return [];
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (style === "deepObject") return value.flatMap((each, at) => nested(`${name}[${at}]`, each));
    if (explode) return value.map((each) => [name, textOf(each)]);
    return [[name, value.map(textOf).join(DELIMITERS[style] ?? ",")]];
  }
  if (!isObject(value)) return [[name, textOf(value)]];
  if (style === "deepObject") return nested(name, value);
  if (explode) return Object.entries(value).map(([field, each]) => [field, textOf(each)]);
  return [[name, fieldsIn(value, ",").join(DELIMITERS[style] ?? ",")]];
}

/** `filter[a][b]=1`: goes deeper than OpenAPI defines, in the way most APIs accept. */
function nested(name: string, value: unknown): Pair[] {
  if (Array.isArray(value)) return value.map((each) => [`${name}[]`, textOf(each)]);
  if (!isObject(value)) return value === undefined ? [] : [[name, textOf(value)]];
  return Object.entries(value).flatMap(([field, each]) => nested(`${name}[${field}]`, each));
}

/** An argument as OpenAPI writes it into a path, encoded. */
export function pathText(
  { name, style = "simple", explode = false }: HttpPlace,
  value: unknown,
): string {
  if (style === "json") return encodeURIComponent(JSON.stringify(value));
  const values = partsOf(value, explode, encodeURIComponent);
  if (style === "label") return `.${values.join(explode ? "." : ",")}`;
  if (style !== "matrix") return values.join(",");
  const named = `;${encodeURIComponent(name)}=`;
  if (!explode) return named + values.join(",");
  return values.map((each) => (isObject(value) ? `;${each}` : named + each)).join("");
}

/** An argument as OpenAPI writes it into a header. */
export function headerText({ style, explode = false }: HttpPlace, value: unknown): string {
  if (style === "json") return JSON.stringify(value);
  return partsOf(value, explode).join(",");
}

function partsOf(value: unknown, explode: boolean, encoded = asItIs): string[] {
  if (isObject(value)) return fieldsIn(value, explode ? "=" : ",", encoded);
  return (Array.isArray(value) ? value : [value]).map((each) => encoded(textOf(each)));
}

function fieldsIn(value: Record<string, unknown>, between: string, encoded = asItIs): string[] {
  return Object.entries(value).map(
    ([field, each]) => `${encoded(field)}${between}${encoded(textOf(each))}`,
  );
}

function asItIs(text: string): string {
  return text;
}

/** A plain value as text, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
