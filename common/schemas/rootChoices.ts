import type { JsonSchema } from "./jsonSchema.js";
import { isSchema, referredSchema } from "./referredSchema.js";

/** Keywords whose schemas all hold, and those of which one does. */
const ALL = ["$ref", "allOf"] as const;
const SOME = ["oneOf", "anyOf"] as const;

type Declared = { properties: Map<string, JsonSchema[]>; required: Set<string> };

/**
 * The schema of an object with the properties of all its parts (`$ref`, `allOf`, `oneOf`, `anyOf`) added to its own, for
 * code that only reads `properties`. It accepts the same values as before.
 */
export function withRootProperties(schema: JsonSchema): JsonSchema {
  if (![...ALL, ...SOME].some((keyword) => keyword in schema)) return schema;
  const { properties, required } = declaredIn(schema, schema, new Set());
  const entries = [...properties].map(([name, [first = {}, ...others]]): [string, JsonSchema] => [
    name,
    others.length === 0 ? first : { anyOf: [first, ...others] },
  ]);
  return {
    ...schema,
    properties: { ...Object.fromEntries(entries), ...Object(schema["properties"]) },
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** Reads each part once, because parts may refer to themselves. */
function declaredIn(root: JsonSchema, part: JsonSchema, seen: Set<JsonSchema>): Declared {
  const properties = new Map<string, JsonSchema[]>();
  const required = new Set<string>();
  if (seen.has(part)) return { properties, required };
  seen.add(part);
  const own = isSchema(part["properties"]) ? Object.entries(part["properties"]) : [];
  for (const [name, value] of own) if (isSchema(value)) properties.set(name, [value]);
  for (const name of listOf(part["required"])) if (typeof name === "string") required.add(name);
  for (const keyword of [...ALL, ...SOME]) {
    for (const inner of partsOf(root, part[keyword])) {
      const declared = declaredIn(root, inner, seen);
      for (const [name, schemas] of declared.properties)
        properties.set(name, [...(properties.get(name) ?? []), ...schemas]);
      const isCertain = keyword === "$ref" || keyword === "allOf";
      if (isCertain) for (const name of declared.required) required.add(name);
    }
  }
  return { properties, required };
}

function partsOf(root: JsonSchema, value: unknown): JsonSchema[] {
  if (typeof value === "string") return [referredSchema({ root, ref: value })];
  return listOf(value).filter(isSchema);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Keywords that providers refuse at the root of a tool's parameters, and `$schema`, which tells a model nothing. */
const REFUSED: readonly string[] = [
  ...ALL,
  ...SOME,
  "not",
  "enum",
  "if",
  "then",
  "else",
  "$schema",
];

/**
 * The parameters of a tool as providers accept them: without keywords that choose between whole objects. A call's
 * arguments are still checked against them.
 */
export function withoutRootChoices(parameters: JsonSchema): JsonSchema {
  if (!REFUSED.some((keyword) => keyword in parameters)) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).filter(([keyword]) => !REFUSED.includes(keyword)),
  );
}
