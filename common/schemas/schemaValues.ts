import type { JsonSchema } from "./jsonSchema.js";
import { isSchema } from "./referredSchema.js";

/**
 * Makes the values in a schema agree with its type: a default or listed value written as text (`"5"`, `"True"`) is
 * converted, and so is a number where texts are wanted. If listed values do not fit the type, the type is dropped; a
 * default that does not fit is dropped itself.
 */
export function fittedValues({ default: written, ...schema }: JsonSchema): JsonSchema {
  const listed = withFittingEnum(withFittingConst(schema));
  if (written === undefined) return listed;
  const value = fitting(written, listed["type"]);
  const isListed = !Array.isArray(listed["enum"]) || listed["enum"].includes(value);
  return value === undefined || !isListed ? listed : { ...listed, default: value };
}

/** OpenAPI 3.0 has a keyword for null, JSON Schema a type. */
export function nullableAs(written: JsonSchema, schema: JsonSchema): JsonSchema {
  const { nullable = written["x-nullable"] } = written;
  if (nullable !== true && nullable !== "true") return schema;
  const { $ref, allOf, ...others } = schema;
  if ($ref !== undefined) return { ...withNull(others), anyOf: [{ $ref }, NULL] };
  if (!Array.isArray(allOf)) return withNull(schema);
  const whole = { anyOf: [allOf.length === 1 ? allOf[0] : { allOf }, NULL] };
  return { ...withNull(others), ...(others["anyOf"] ? { allOf: [whole] } : whole) };
}

const NULL = { type: "null" };

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  const types = type === undefined ? [] : [type].flat();
  return {
    ...schema,
    ...(types.length > 0 && { type: [...new Set([...types, "null"])] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, NULL] }),
  };
}

function withFittingConst(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (schema["const"] === undefined || type === undefined) return schema;
  const value = fitting(schema["const"], type);
  return value === undefined ? rest : { ...schema, const: value };
}

function withFittingEnum(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema["enum"])) return schema;
  const values = schema["enum"] as unknown[];
  const { type, ...rest } = schema;
  const fit = values.map((value) => fitting(value, type));
  return fit.includes(undefined) ? { ...rest, enum: values } : { ...schema, enum: fit };
}

/** A value converted to one of the types; undefined if impossible. */
function fitting(value: unknown, type: unknown): unknown {
  const types = [type].flat();
  if (type === undefined || types.some((each) => isOfType(value, each))) return value;
  if (typeof value === "number" || typeof value === "boolean")
    return types.includes("string") ? String(value) : undefined;
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

export function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isSchema(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
