import type { JsonSchema } from "./jsonSchema.js";
import { inlineRefs } from "./inlineRefs.js";
import { isSchema } from "./referredSchema.js";

/**
 * The TypeScript type for a JSON Schema, in one line. What has no counterpart is `unknown`, which accepts any
 * argument and must be checked as a result.
 */
export function typeText(schema: unknown): string {
  return isSchema(schema) ? typeOf(inlineRefs(schema)) : "unknown";
}

function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return "unknown";
  const { enum: choices, const: only, anyOf, oneOf, allOf, type, properties } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return union(choices.map((choice) => JSON.stringify(choice)));
  const alternatives = [anyOf, oneOf].find((one) => Array.isArray(one));
  if (alternatives) return union(alternatives.map(typeOf));
  if (Array.isArray(allOf) && type === undefined)
    return [...new Set(allOf.map(typeOf))].map(inBrackets).join(" & ") || "unknown";
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === "array") return `${inBrackets(typeOf(schema["items"]))}[]`;
  if (type === "object" || isSchema(properties)) return objectText(schema);
  return (typeof type === "string" ? PLAIN_TYPES.get(type) : undefined) ?? "unknown";
}

const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

/** A field of an object in TypeScript. */
export interface Field {
  name: string;
  /** The name, quoted if necessary. */
  key: string;
  /** "?" for an optional field. */
  mark: string;
  type: string;
  /** Its description; empty for none. */
  text: string;
}

/** The fields that a schema of an object, without references, declares. */
export function fieldsOf({ properties, required }: JsonSchema): Field[] {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const declared = isSchema(properties) ? Object.entries(properties) : [];
  return declared.map(([name, schema]) => ({
    name,
    key: keyText(name),
    mark: needed.has(name) ? "" : "?",
    type: typeOf(schema),
    text:
      isSchema(schema) && typeof schema["description"] === "string" ? schema["description"] : "",
  }));
}

/** A name as the key of an object. */
export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** In brackets if necessary, so that a `[]` after it applies to all of it. */
export function inBrackets(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function objectText(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map(({ key, mark, type }) => `${key}${mark}: ${type}`);
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const others = schema["additionalProperties"];
  if (others === false) return "{}";
  return `Record<string, ${isSchema(others) ? typeOf(others) : "unknown"}>`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}
