import type { JsonSchema } from "./jsonSchema.js";
import { mapParts } from "./parts.js";
import { referredSchema } from "./referredSchema.js";

/** Most references followed, because schemas that refer to themselves in several ways grow without end. */
const MOST_REFS = 200;

interface Inlining {
  root: JsonSchema;
  /** References that enclose the present part. */
  within: readonly string[];
  followed: { count: number };
}

/**
 * The schema with its `$ref`s replaced by their targets, for code that reads it in parts. A recursive type
 * allows anything.
 */
export function inlineRefs(schema: JsonSchema): JsonSchema {
  const { $defs: _, definitions: __, ...own } = schema;
  return inlined(own, { root: schema, within: [], followed: { count: 0 } });
}

function inlined(part: JsonSchema, inlining: Inlining): JsonSchema {
  const { $ref, ...beside } = part;
  if (typeof $ref !== "string") return mapParts(part, (inner) => inlined(inner, inlining));
  const { root, within, followed } = inlining;
  if (within.includes($ref) || followed.count >= MOST_REFS) return beside;
  followed.count += 1;
  const target = { ...referredSchema({ root, ref: $ref }), ...beside };
  return inlined(target, { root, within: [...within, $ref], followed });
}
