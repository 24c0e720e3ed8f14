import type { JsonSchema, ParametersSchema } from "../tool.js";
import { childSchemas, isObject, plainKeywords } from "./schemaKeywords.js";
import { fittingValues } from "./schemaValues.js";
import { unionOf, wordSchema } from "./typeWords.js";

/**
 * The parameters of a declaration as JSON Schema. Data sets write them in many ways: not at all, as a schema
 * with types of some programming language, or as a map from names to schemas or type words.
 *
 * @returns undefined for anything else
 */
export function parametersOf(written: unknown): ParametersSchema | undefined {
  if (written === undefined || written === null) return { type: "object", properties: {} };
  if (!isObject(written)) return undefined;
  const schema = looseSchema(written);
  if (schema.type !== undefined && schema.type !== "object") return undefined;
  const { $schema } = written;
  const dialect = typeof $schema === "string" ? { $schema } : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  return { ...dialect, ...schema, type: "object", properties } as ParametersSchema;
}

/** What a declared tool returns; undefined if it cannot be expressed as a schema. */
export function returnsOf(written: unknown): JsonSchema | undefined {
  if (typeof written !== "string" && !isObject(written)) return undefined;
  const schema = looseSchema(written);
  return Object.keys(schema).length === 0 ? undefined : schema;
}

/**
 * JSON Schema for a loosely written schema. It only says what is certain: unknown types and keywords are
 * dropped, and so are defaults that the schema itself would reject.
 */
export function looseSchema(written: unknown): JsonSchema {
  if (typeof written === "string") return wordSchema(written);
  if (Array.isArray(written)) return unionOf(written.map(looseSchema));
  if (written === false) return { not: {} };
  if (!isObject(written)) return {};
  if (isFieldMap(written)) return objectOf(written);
  const schema = {
    ...typeOf(written.type),
    ...plainKeywords(written),
    ...childSchemas(written, looseSchema),
  };
  return withRequired({ schema: fittingValues(schema), written });
}

function typeOf(type: unknown): JsonSchema {
  return typeof type === "string" || Array.isArray(type) ? looseSchema(type) : {};
}

function objectOf(fields: Record<string, unknown>): JsonSchema {
  const { properties } = childSchemas({ properties: fields }, looseSchema);
  const schema = { type: "object", properties };
  return withRequired({ schema, written: { properties: fields } });
}

/** `required` as a list of names next to the properties, or as `true` inside each. */
function withRequired({
  schema,
  written,
}: {
  schema: JsonSchema;
  written: Record<string, unknown>;
}): JsonSchema {
  const properties = isObject(written.properties) ? written.properties : {};
  const listed: unknown[] = Array.isArray(written.required) ? written.required : [];
  const required = Object.entries(properties)
    .filter(([name, own]) => listed.includes(name) || (isObject(own) && own.required === true))
    .map(([name]) => name);
  return required.length === 0 ? schema : { ...schema, required };
}

/** What distinguishes a schema from a map of names to schemas. */
const MARKS: Record<string, (value: unknown) => boolean> = {
  type: (value) => typeof value === "string" || Array.isArray(value),
  description: (value) => typeof value === "string",
  properties: isObject,
  enum: Array.isArray,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  allOf: Array.isArray,
  $ref: (value) => typeof value === "string",
  items: isObject,
  const: () => true,
  not: isObject,
  default: () => true,
};

/** `{ "city": { "type": "string" }, "days": "int" }` stands for an object with these properties. */
function isFieldMap(written: Record<string, unknown>): boolean {
  const entries = Object.entries(written);
  const isMarked = entries.some(
    ([key, value]) => Object.hasOwn(MARKS, key) && MARKS[key]?.(value) === true,
  );
  return (
    !isMarked &&
    entries.length > 0 &&
    entries.every(([, value]) => isObject(value) || typeof value === "string")
  );
}
