/** Most characters of a tool's JSON Schema, which is sent to models and stored unchanged. */
const LONGEST_SCHEMA = 50_000;

/** How deep a schema's JSON may nest; a level of a type takes two or three. */
const DEEPEST_SCHEMA = 120;

/**
 * Why a schema is too large for a tool, in words; undefined if it is not. Works without recursion and stops at
 * the limits, because a schema may nest to any depth.
 */
export function schemaExcess(schema: unknown): string | undefined {
  let left = LONGEST_SCHEMA;
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > DEEPEST_SCHEMA) return `its schema is nested more than ${DEEPEST_SCHEMA} deep`;
    left -= ownLength(value);
    if (left < 0) return `its schema has more than ${LONGEST_SCHEMA} characters`;
    if (typeof value !== "object" || value === null) continue;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}

/** Characters of a value in JSON, without the values inside it. */
function ownLength(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return String(value).length + 1;
  if (Array.isArray(value)) return 3;
  return Object.keys(value).reduce((length, key) => length + key.length + 3, 3);
}
