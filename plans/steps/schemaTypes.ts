import { referredSchema } from "../../common/schemas/referredSchema.js";
import { JSON_TYPES, type JsonSchema } from "../../common/schemas/jsonSchema.js";
import { isPlainObject } from "./references.js";

/** A JSON Schema, and the root in which its `$ref`s are looked up. */
export interface Typed {
  schema: JsonSchema;
  root: JsonSchema;
}

/** An alternative of a schema; `any` if unspecified. */
export interface Shape extends Typed {
  base: "any" | "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";
}

/** Fits everything, like the output of a tool without a declared result. */
export const ANY: Typed = { schema: {}, root: {} };

/** Deeper nested alternatives are not distinguished. */
const DEEPEST = 8;

/** All alternatives of a type: unions, `nullable`, lists of types and references are resolved. */
export function shapesOf(typed: Typed, followed: readonly string[] = [], depth = 0): Shape[] {
  const { schema, root } = typed;
  const any: Shape = { base: "any", schema: {}, root };
  if (depth > DEEPEST) return [any];
  const inner = (schemas: JsonSchema[]) =>
    schemas.flatMap((schema) => shapesOf({ schema, root }, followed, depth + 1));
  const { $ref, anyOf, oneOf, allOf, nullable, type, ...others } = schema;
  if (typeof $ref === "string") {
    // A type that is its own alternative adds nothing.
    if (followed.includes($ref)) return [];
    const target = { schema: { ...referredSchema({ root, ref: $ref }), ...others }, root };
    return shapesOf(target, [...followed, $ref], depth);
  }
  if (nullable === true) return inner([{ ...schema, nullable: false }, { type: "null" }]);
  if (Array.isArray(allOf)) return inner([merged([{ ...schema, allOf: undefined }, ...allOf])]);
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) {
    const base = { ...others, ...(type === undefined ? {} : { type }) };
    return inner(options.map((option: unknown) => merged([base, option])));
  }
  if (Array.isArray(type)) return inner(type.map((type: unknown) => ({ ...others, type })));
  if (typeof type === "string" && JSON_TYPES.has(type))
    return [{ base: type as Shape["base"], schema, root }];
  return basesImplied(schema).map((base) => ({ base, schema, root }));
}

export function itemsOf({ schema, root }: Typed): Typed {
  const { items } = schema;
  return isPlainObject(items) ? { schema: items, root } : { ...ANY, root };
}

/** The declared fields of an object; undefined if it declares none and allows any. */
export function fieldsOf({ schema, root }: Typed): Map<string, Typed> | undefined {
  const { properties } = schema;
  if (!isPlainObject(properties)) return undefined;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, { schema: isPlainObject(field) ? field : {}, root }] as const,
  );
  return new Map(fields);
}

/** The type of undeclared fields; undefined if they are forbidden. */
export function otherFieldsOf({ schema, root }: Typed): Typed | undefined {
  const { additionalProperties } = schema;
  if (isPlainObject(additionalProperties)) return { schema: additionalProperties, root };
  return additionalProperties === true ? { ...ANY, root } : undefined;
}

export function requiredOf({ schema }: Typed): string[] {
  const { required } = schema;
  return Array.isArray(required)
    ? required.filter((name): name is string => typeof name === "string")
    : [];
}

/** The allowed values; undefined if the schema lists none. */
export function allowedValues({ schema }: Typed): unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

/** A type in a few words, for whoever must fix a plan or a call. */
export function typeInWords(typed: Typed, depth = 0): string {
  const words = shapesOf(typed).map((shape) => {
    const allowed = allowedValues(shape);
    if (allowed) return `one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
    if (shape.base === "array")
      return depth > 1 ? "a list" : `a list (each ${typeInWords(itemsOf(shape), depth + 1)})`;
    const fields = shape.base === "object" ? [...(fieldsOf(shape)?.keys() ?? [])] : [];
    if (fields.length > 0) return `an object with ${fields.join(", ")}`;
    const { format } = shape.schema;
    if (shape.base !== "string" || typeof format !== "string") return WORDS[shape.base];
    return FORMATS[format] ?? `a text in the format ${format}`;
  });
  return [...new Set(words)].join(" or ");
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "a date and time such as 2024-05-01T12:00:00Z",
  date: "a date such as 2024-05-01",
  time: "a time such as 12:00:00Z",
};

const WORDS: Record<Shape["base"], string> = {
  any: "anything",
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
  array: "a list",
  object: "an object",
};

function basesImplied(schema: JsonSchema): Shape["base"][] {
  const allowed = allowedValues({ schema, root: schema });
  if (allowed) return [...new Set(allowed.map(baseOf))];
  if (isPlainObject(schema["properties"])) return ["object"];
  return isPlainObject(schema["items"]) ? ["array"] : ["any"];
}

function baseOf(value: unknown): Shape["base"] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

/** Merges schemas that all apply: all fields, and the last of each other keyword. */
function merged(schemas: unknown[]): JsonSchema {
  const parts = schemas.filter(isPlainObject);
  const properties = parts.flatMap(({ properties }) =>
    isPlainObject(properties) ? Object.entries(properties) : [],
  );
  const required = parts.flatMap((schema) => requiredOf({ schema, root: schema }));
  const together: JsonSchema = Object.assign({}, ...parts);
  if (properties.length > 0) together["properties"] = Object.fromEntries(properties);
  if (required.length > 0) together["required"] = [...new Set(required)];
  return together;
}

/** Below this depth types count as agreeing, because recursive ones never end. */
const DEEPEST_COMPARED = 5;

/**
 * Whether a value of the given type can be of the wanted type (an edge of weight 1 in "AI Agent 007"). Only
 * certain mismatches are refused; if the types leave it open (a number that may be an integer, a result that
 * may be null, a text that may be in an enum), the call will tell.
 */
export function accepts(types: { wanted: Typed; given: Typed }, depth = 0): boolean {
  if (depth > DEEPEST_COMPARED) return true;
  const wanted = shapesOf(types.wanted);
  return withoutNull(shapesOf(types.given)).some((given) =>
    wanted.some((shape) => shapeAccepts(shape, given, depth)),
  );
}

export function isList(type: Typed): boolean {
  return withoutNull(shapesOf(type)).every(({ base }) => base === "array");
}

/** Types with only null in common do not agree. */
function withoutNull(shapes: Shape[]): Shape[] {
  const others = shapes.filter(({ base }) => base !== "null");
  return others.length > 0 ? others : shapes;
}

function shapeAccepts(wanted: Shape, given: Shape, depth: number): boolean {
  if (wanted.base === "any" || given.base === "any") return true;
  if (!valuesOverlap(wanted, given)) return false;
  if (isNumber(wanted)) return isNumber(given);
  if (wanted.base !== given.base) return false;
  if (wanted.base === "array")
    return accepts({ wanted: itemsOf(wanted), given: itemsOf(given) }, depth + 1);
  return wanted.base !== "object" || objectAccepts({ wanted, given, depth });
}

function isNumber({ base }: Shape): boolean {
  return base === "number" || base === "integer";
}

function valuesOverlap(wanted: Shape, given: Shape): boolean {
  const [allowed, possible] = [allowedValues(wanted), allowedValues(given)];
  if (!allowed || !possible) return true;
  const texts = new Set(allowed.map((value) => JSON.stringify(value)));
  return possible.some((value) => texts.has(JSON.stringify(value)));
}

function objectAccepts(types: { wanted: Shape; given: Shape; depth: number }): boolean {
  const given = fieldsOf(types.given);
  if (!given) return true;
  const isOpen = otherFieldsOf(types.given) !== undefined;
  if (!isOpen && requiredOf(types.wanted).some((name) => !given.has(name))) return false;
  return [...(fieldsOf(types.wanted) ?? [])].every(([name, wanted]) => {
    const field = given.get(name);
    return !field || accepts({ wanted, given: field }, types.depth + 1);
  });
}
