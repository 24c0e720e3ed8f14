import type { JsonSchema } from "./jsonSchema.js";
import { isSchema } from "./referredSchema.js";

/** Keywords that hold one schema. */
export const SCHEMA_KEYWORDS: readonly string[] =
  "items additionalProperties not contains propertyNames if then else unevaluatedProperties unevaluatedItems".split(
    " ",
  );

/** Keywords that hold a list of schemas. */
export const SCHEMA_LISTS: readonly string[] = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** Keywords that hold schemas by name: their keys are the user's names, not keywords. */
export const SCHEMA_MAPS: readonly string[] =
  "properties patternProperties $defs definitions dependentSchemas".split(" ");

/** A schema with other schemas in the place of its parts, one level down; booleans stay. */
export function mapParts(
  schema: JsonSchema,
  change: (part: JsonSchema, keyword: string) => JsonSchema,
): JsonSchema {
  const changed = (keyword: string) => (part: unknown) =>
    isSchema(part) ? change(part, keyword) : part;
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (SCHEMA_KEYWORDS.includes(keyword)) return [keyword, changed(keyword)(value)];
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value))
      return [keyword, value.map(changed(keyword))];
    if (!SCHEMA_MAPS.includes(keyword) || !isSchema(value)) return [keyword, value];
    const parts = Object.entries(value).map(([name, part]) => [name, changed(keyword)(part)]);
    return [keyword, Object.fromEntries(parts)];
  });
  return Object.fromEntries(entries);
}
