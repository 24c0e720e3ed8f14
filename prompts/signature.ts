import type { JsonSchema } from "../tools/tool.js";
import type { OfferedTool } from "./stages.js";

/** A tool with its parameters as TypeScript writes them, in one line: "add(a: number, b?: number): number". */
export function signatureText({ name, parameters, returns }: OfferedTool): string {
  const fields = fieldsOf(parameters).map(({ key, mark, type }) => `${key}${mark}: ${type}`);
  return `${name}(${fields.join(", ")})${returns ? `: ${typeText(returns)}` : ""}`;
}

/**
 * What a tool returns, in as few words as a reference to it needs: a scalar's type, and of objects the names
 * of the fields, `[]` behind what is a list.
 */
export function outputText(schema: unknown): string {
  const { type, items, properties } = recordOf(schema);
  if (type === "array") return `${listable(outputText(items))}[]`;
  const fields = Object.entries(recordOf(properties));
  if (type !== "object" || fields.length === 0) return typeText(schema);
  return `{ ${fields.map(([name, field]) => fieldText(name, field)).join(", ")} }`;
}

/** A field's own type is told only where it has parts. */
function fieldText(name: string, schema: unknown): string {
  const { type, items } = recordOf(schema);
  const key = keyText(name);
  if (type === "array" && !hasFields(items)) return `${key}[]`;
  return hasFields(type === "array" ? items : schema) ? `${key}: ${outputText(schema)}` : key;
}

function hasFields(schema: unknown): boolean {
  const { type, properties, items } = recordOf(schema);
  if (type === "array") return hasFields(items);
  return Object.keys(recordOf(properties)).length > 0;
}

/** How the code of a tool calls another one (`callTool`), declared with what is known of its values. */
export function callSignatureText({ name, description, parameters, returns }: OfferedTool): string {
  const fields = fieldsOf(parameters).flatMap(({ key, mark, type, text }) => [
    ...(text ? [`  ${commentText(text)}`] : []),
    `  ${key}${mark}: ${type};`,
  ]);
  return [
    commentText(description),
    `function callTool(name: ${JSON.stringify(name)}, args: {`,
    ...fields,
    `}): Promise<${returns ? typeText(returns) : "unknown"}>;`,
  ].join("\n");
}

/** A JSON Schema as a TypeScript type; whatever has no plain form is `unknown`. */
export function typeText(schema: unknown): string {
  const { enum: choices, const: only, anyOf, oneOf, type } = recordOf(schema);
  if (Array.isArray(choices)) return union(choices.map((choice) => JSON.stringify(choice)));
  if (only !== undefined) return JSON.stringify(only);
  const alternatives = [anyOf, oneOf].find((one) => Array.isArray(one));
  if (alternatives) return union(alternatives.map((one) => typeText(one)));
  if (Array.isArray(type))
    return union(type.map((one) => typeText({ ...recordOf(schema), type: one })));
  if (type === "array") return listText(recordOf(schema)["items"]);
  if (type === "object") return objectText(recordOf(schema));
  return (typeof type === "string" ? PLAIN_TYPES.get(type) : undefined) ?? "unknown";
}

const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

interface Field {
  key: string;
  /** "?" for a field that may be left out. */
  mark: string;
  type: string;
  /** Its description; empty for none. */
  text: string;
}

function fieldsOf({ properties, required }: JsonSchema): Field[] {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(recordOf(properties)).map(([name, schema]) => {
    const { description } = recordOf(schema);
    return {
      key: keyText(name),
      mark: needed.has(name) ? "" : "?",
      type: typeText(schema),
      text: typeof description === "string" ? description : "",
    };
  });
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function listText(items: unknown): string {
  return `${listable(typeText(items))}[]`;
}

/** So that a `[]` behind it means all of it. */
function listable(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}

function objectText(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map(({ key, mark, type }) => `${key}${mark}: ${type}`);
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const others = schema["additionalProperties"];
  return `Record<string, ${typeof others === "object" ? typeText(others) : "unknown"}>`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}

/** In one line, which the text cannot end early. */
function commentText(text: string): string {
  return `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ").trim()} */`;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
