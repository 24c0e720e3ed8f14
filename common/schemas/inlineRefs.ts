import type { JsonSchema } from "./jsonSchema.js";
import { SCHEMA_MAPS } from "./parts.js";
import { isSchema, referredSchema } from "./referredSchema.js";

/** Most references followed, because schemas that refer to themselves in several ways grow without end. */
const MOST_REFS = 200;

/** Keywords that hold values instead of schemas. */
const VALUES = new Set(["const", "default", "enum", "examples"]);

interface Inlining {
  root: JsonSchema;
  /** References that enclose the present part. */
  within: readonly string[];
  /** References followed so far, in all parts. */
  followed: { count: number };
}

/**
 * The schema with its `$ref`s replaced by their targets, for code that reads it in parts. A recursive type
 * allows anything.
 */
export function inlineRefs(schema: JsonSchema): JsonSchema {
  const { $defs: _, definitions: __, ...own } = schema;
  return inlined(own, { root: schema, within: [], followed: { count: 0 } }) as JsonSchema;
}

function inlined(part: unknown, inlining: Inlining): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, inlining));
  if (!isSchema(part)) return part;
  const { $ref, ...beside } = part;
  if (typeof $ref !== "string") {
    return mapValues(part, (value, key) => inlinedKeyword({ key, value }, inlining));
  }
  const { root, within, followed } = inlining;
  if (within.includes($ref) || followed.count >= MOST_REFS) return beside;
  followed.count += 1;
  const target = { ...referredSchema({ root, ref: $ref }), ...beside };
  return inlined(target, { root, within: [...within, $ref], followed });
}

function inlinedKeyword({ key, value }: { key: string; value: unknown }, inlining: Inlining) {
  if (VALUES.has(key)) return value;
  if (!SCHEMA_MAPS.includes(key) || !isSchema(value)) return inlined(value, inlining);
  return mapValues(value, (schema) => inlined(schema, inlining));
}

function mapValues(object: JsonSchema, change: (value: unknown, key: string) => unknown) {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}
