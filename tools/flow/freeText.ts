import { isPlainObject } from "../../plans/references.js";
import type { JsonSchema } from "../tool.js";

/** Ids, addresses, names of files and the like are shorter than that; nothing is said in them. */
const LONGEST_TOKEN = 64;

const POINT_IN_TIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** Whether a value can say something: a text that is neither an id, a date, an address nor one word. */
export function isFreeText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const text = value.trim();
  return (/\s/.test(text) || text.length > LONGEST_TOKEN) && !POINT_IN_TIME.test(text);
}

/** Whether a parameter takes values of its own choice alone: one of a list, numbers, true or false. */
export function isChosen(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  const { type, items } = schema;
  if (Array.isArray(schema["enum"]) || "const" in schema) return true;
  if (type === "array") return isPlainObject(items) && isChosen(items);
  return type === "number" || type === "integer" || type === "boolean";
}
