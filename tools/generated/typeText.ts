import type { JsonSchema } from "../tool.js";

/** References are followed so deep; below it, a recursive schema is taken for anything. */
const DEEPEST = 8;

/**
 * The TypeScript type of what a JSON Schema describes, as text. What has no counterpart is `unknown`,
 * which takes any argument and has to be checked where it is a result.
 */
export function typeText(schema: JsonSchema): string {
  return typeOf({ schema, root: schema, depth: 0 });
}

interface Part {
  schema: unknown;
  /** The whole schema, where `$ref` looks. */
  root: JsonSchema;
  depth: number;
}

function typeOf({ schema, root, depth }: Part): string {
  if (!isSchema(schema) || depth > DEEPEST) return "unknown";
  const inner = (part: unknown): string => typeOf({ schema: part, root, depth: depth + 1 });
  if (typeof schema.$ref === "string") return inner(referred(schema.$ref, root));
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return anyOf(schema.enum.map(literal));
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches !== undefined) return anyOf(branches.map(inner));
  if (Array.isArray(schema.allOf)) return schema.allOf.map(inner).join(" & ") || "unknown";
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  return anyOf(types.map((type) => namedType({ type, schema, inner })));
}

interface Named {
  type: string;
  schema: JsonSchema;
  inner: (part: unknown) => string;
}

function namedType({ type, schema, inner }: Named): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return `${inner(schema.items)}[]`;
    case "object":
      return objectType({ schema, inner });
    default:
      return "unknown";
  }
}

function objectType({ schema, inner }: Omit<Named, "type">): string {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${JSON.stringify(name)}${mark}: ${inner(property)}`;
  });
  const others = schema.additionalProperties;
  if (members.length === 0 && isSchema(others)) return `Record<string, ${inner(others)}>`;
  if (members.length === 0 && others !== false) return "Record<string, unknown>";
  return `{ ${members.join("; ")} }`;
}

/** A union in brackets, so that `[]` behind it is of the whole. */
function anyOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const [only = "unknown"] = distinct;
  return distinct.length > 1 ? `(${distinct.join(" | ")})` : only;
}

function literal(value: unknown): string {
  const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value);
  return isPlain ? JSON.stringify(value) : "unknown";
}

function referred(pointer: string, root: JsonSchema): unknown {
  const steps = pointer.replace(/^#\/?/, "").split("/").filter(Boolean);
  let found: unknown = root;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isSchema(found) ? found[name] : undefined;
  }
  return found;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
