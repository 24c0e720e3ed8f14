import type { JsonSchema } from "../../tools/tool.js";
import { isSchema, referredSchema } from "./referredSchema.js";

/** Keywords whose schemas all hold, and those of which one does. */
const ALL = ["$ref", "allOf"] as const;
const SOME = ["oneOf", "anyOf"] as const;

type Declared = { properties: Map<string, JsonSchema[]>; required: Set<string> };

/**
 * The schema of an object with all properties that its parts declare, which those that read `properties` alone do not
 * see: parts by reference, all of several, or one of several. It takes the same values as before.
 */
export function withRootProperties(schema: JsonSchema): JsonSchema {
  if (![...ALL, ...SOME].some((keyword) => keyword in schema)) return schema;
  const { properties, required } = declaredIn({ root: schema, part: schema, seen: new Set() });
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

/** Each part is read once: some refer to themselves, and in ever more ways. */
function declaredIn(options: {
  root: JsonSchema;
  part: JsonSchema;
  seen: Set<JsonSchema>;
}): Declared {
  const { root, part, seen } = options;
  const properties = new Map<string, JsonSchema[]>();
  const required = new Set<string>();
  if (seen.has(part)) return { properties, required };
  seen.add(part);
  const own = isSchema(part["properties"]) ? Object.entries(part["properties"]) : [];
  for (const [name, value] of own) if (isSchema(value)) properties.set(name, [value]);
  for (const name of listOf(part["required"])) if (typeof name === "string") required.add(name);
  for (const keyword of [...ALL, ...SOME]) {
    for (const inner of partsOf({ root, value: part[keyword] })) {
      const declared = declaredIn({ root, part: inner, seen });
      for (const [name, schemas] of declared.properties) {
        properties.set(name, [...(properties.get(name) ?? []), ...schemas]);
      }
      const isCertain = keyword === "$ref" || keyword === "allOf";
      if (isCertain) for (const name of declared.required) required.add(name);
    }
  }
  return { properties, required };
}

function partsOf({ root, value }: { root: JsonSchema; value: unknown }): JsonSchema[] {
  if (typeof value === "string") return [referredSchema({ root, ref: value })];
  return listOf(value).filter(isSchema);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What providers refuse beside the properties of a tool's arguments, and what says nothing to a model. */
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
 * The schema of arguments as providers take it: without choices between whole objects. What they say is checked when
 * the arguments come.
 */
export function withoutRootChoices(parameters: JsonSchema): JsonSchema {
  if (!REFUSED.some((keyword) => keyword in parameters)) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).filter(([keyword]) => !REFUSED.includes(keyword)),
  );
}
