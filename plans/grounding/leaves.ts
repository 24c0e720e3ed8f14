import { isPlainObject } from "../steps/references.js";

/** All values in data that are not lists or objects. */
export function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isPlainObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

/** All objects in data, including nested ones. */
export function* objectsIn(data: unknown): Generator<Record<string, unknown>> {
  const open: unknown[] = [data];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    if (!isPlainObject(next)) continue;
    yield next;
    open.push(...Object.values(next));
  }
}
