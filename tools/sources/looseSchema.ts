import { SCHEMA_MAPS } from "../../common/schemas/inlineRefs.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ParametersSchema } from "../tool.js";
import { unionOf, wordSchema } from "./functions/typeWords.js";

/**
 * The parameters of a declaration as JSON Schema. Data sets write them in many ways: not at all, as a schema with types
 * of some programming language, or as a map from names to schemas or type words.
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
 * JSON Schema for a loosely written schema. It keeps only what is certain: unknown types and keywords are dropped, and
 * so are defaults that the schema itself would reject.
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
  return withRequired(fittingValues(schema), written);
}

function typeOf(type: unknown): JsonSchema {
  return typeof type === "string" || Array.isArray(type) ? looseSchema(type) : {};
}

function objectOf(fields: Record<string, unknown>): JsonSchema {
  const { properties } = childSchemas({ properties: fields }, looseSchema);
  const schema = { type: "object", properties };
  return withRequired(schema, { properties: fields });
}

/** `required` as a list of names next to the properties, or as `true` inside each. */
function withRequired(schema: JsonSchema, written: Record<string, unknown>): JsonSchema {
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

/** Whether it stands for an object with these properties: `{ "city": { "type": "string" }, "days": "int" }`. */
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

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** Keywords that hold no schemas, and their valid values. */
const PLAIN: Record<string, (value: unknown) => boolean> = {
  title: isText,
  description: isText,
  format: isText,
  pattern: isText,
  $ref: isText,
  enum: isList,
  examples: isList,
  const: () => true,
  default: () => true,
  uniqueItems: (value) => typeof value === "boolean",
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
};

/** The keywords that hold no schemas; unknown ones are dropped. */
function plainKeywords(written: Record<string, unknown>): JsonSchema {
  const schema: JsonSchema = {};
  for (const [keyword, value] of Object.entries(written)) {
    if (Object.hasOwn(PLAIN, keyword) && PLAIN[keyword]?.(value)) schema[keyword] = value;
  }
  return schema;
}

const ONE_SCHEMA = ["items", "additionalProperties", "not", "contains", "propertyNames"];
const SCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** The keywords that hold schemas, each read by `read`. */
function childSchemas(
  written: Record<string, unknown>,
  read: (inner: unknown) => JsonSchema,
): JsonSchema {
  const schema: JsonSchema = {};
  for (const [keyword, value] of Object.entries(written)) {
    if (ONE_SCHEMA.includes(keyword)) {
      schema[keyword] = typeof value === "boolean" && keyword !== "items" ? value : read(value);
    } else if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value) && value.length > 0) {
      schema[keyword] = value.map(read);
    } else if (SCHEMA_MAPS.includes(keyword) && isObject(value)) {
      const entries = Object.entries(value).map(([name, inner]) => [name, read(inner)]);
      schema[keyword] = Object.fromEntries(entries);
    }
  }
  return schema;
}

/**
 * Makes the values in a schema agree with its type. A default written as text (`"5"`, `"True"`) is converted; one that
 * the schema would reject is dropped, because defaults are filled into calls. If enum values do not fit the type, the
 * type is dropped.
 */
function fittingValues({ default: written, ...schema }: JsonSchema): JsonSchema {
  const listed = withFittingEnum(schema);
  if (written === undefined) return listed;
  const value = fitting(written, listed.type);
  const isListed = !Array.isArray(listed.enum) || listed.enum.includes(value);
  return value === undefined || !isListed ? listed : { ...listed, default: value };
}

function withFittingEnum(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum)) return schema;
  const values = schema.enum as unknown[];
  const { type, ...rest } = schema;
  const fit = values.map((value) => fitting(value, type));
  return fit.includes(undefined) ? { ...rest, enum: values } : { ...schema, enum: fit };
}

/** A value converted to one of the types; undefined if impossible. */
function fitting(value: unknown, type: unknown): unknown {
  const types = [type].flat();
  if (type === undefined || types.some((each) => isOfType(value, each))) return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const isNumeric = text !== "" && Number.isFinite(Number(text));
  const readings: unknown[] = [
    ...(isNumeric ? [Number(text)] : []),
    ...(/^true$/i.test(text) ? [true] : []),
    ...(/^false$/i.test(text) ? [false] : []),
    ...(/^(?:none|null)$/i.test(text) ? [null] : []),
  ];
  return readings.find((reading) => types.some((each) => isOfType(reading, each)));
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
