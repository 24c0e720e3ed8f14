import { SCHEMA_MAPS } from "../../common/schemas/inlineRefs.js";
import type { JsonSchema } from "../tool.js";

/** Whether a value is a JSON object, not null or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** Keywords without schemas, and their valid values. */
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

/** Other names for keywords in data sets. */
const OTHER_NAMES: Record<string, string> = {
  allowed_values: "enum",
  possible_values: "enum",
  choices: "enum",
  default_value: "default",
};

/** A schema's keywords without schemas, under their standard names; unknown ones are dropped. */
export function plainKeywords(written: Record<string, unknown>): JsonSchema {
  const schema: JsonSchema = {};
  for (const [key, value] of Object.entries(written)) {
    const keyword = Object.hasOwn(OTHER_NAMES, key) ? (OTHER_NAMES[key] ?? key) : key;
    if (Object.hasOwn(PLAIN, keyword) && PLAIN[keyword]?.(value)) schema[keyword] ??= value;
  }
  return withOpenBounds(schema, written);
}

/** Draft 4 marks an exclusive bound with a separate `true`. */
function withOpenBounds(
  { minimum, maximum, ...schema }: JsonSchema,
  { exclusiveMinimum, exclusiveMaximum }: Record<string, unknown>,
): JsonSchema {
  const lower = exclusiveMinimum === true ? "exclusiveMinimum" : "minimum";
  const upper = exclusiveMaximum === true ? "exclusiveMaximum" : "maximum";
  return {
    ...schema,
    ...(minimum === undefined ? {} : { [lower]: minimum }),
    ...(maximum === undefined ? {} : { [upper]: maximum }),
  };
}

const ONE_SCHEMA = ["items", "additionalProperties", "not", "contains", "propertyNames"];
const SCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** A schema's keywords that hold schemas, each read by `read`. */
export function childSchemas(
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
