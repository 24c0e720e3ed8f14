import { isPlainObject } from "./references.js";

/** The values in data that are neither lists nor objects. */
export function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isPlainObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}
