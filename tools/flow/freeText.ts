import { isPlainObject } from "../../plans/references.js";
import type { JsonSchema } from "../tool.js";

/** Ids, addresses, file names and the like are shorter than this, and carry no message. */
const LONGEST_TOKEN = 64;

const POINT_IN_TIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** Whether a value can carry a message: a text that is not an id, a date, an address or a single word. */
export function isFreeText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const text = value.trim();
  return (/\s/.test(text) || text.length > LONGEST_TOKEN) && !POINT_IN_TIME.test(text);
}

/** Whether a parameter only takes values that cannot carry a message: enums, numbers, booleans. */
export function isChosen(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  const { type, items } = schema;
  if (Array.isArray(schema["enum"]) || "const" in schema) return true;
  if (type === "array") return isPlainObject(items) && isChosen(items);
  return type === "number" || type === "integer" || type === "boolean";
}
