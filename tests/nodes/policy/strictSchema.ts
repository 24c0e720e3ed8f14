import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** What OpenAI's structured outputs know of JSON Schema, as far as it is used here. */
const KEYWORDS = new Set(
  "type properties required additionalProperties items enum anyOf description $ref $defs".split(
    " ",
  ),
);

/** Why OpenAI would not take a schema with `strict: true`; nothing for one whose every object is closed. */
export function strictFaults(schema: JsonSchema): string[] {
  return [
    ...(schema["type"] === "object" ? [] : ["$: is not an object"]),
    ...faultsOf(schema, "$"),
  ];
}

function faultsOf(schema: JsonSchema, place: string): string[] {
  const { type, properties = {}, required, additionalProperties, items, anyOf, $defs } = schema;
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const isClosed =
    additionalProperties === false &&
    JSON.stringify(required) === JSON.stringify(fields.map(([name]) => name));
  return [
    ...Object.keys(schema)
      .filter((keyword) => !KEYWORDS.has(keyword))
      .map((keyword) => `${place}: ${keyword} is not known`),
    ...(type === "object" && !isClosed ? [`${place}: is open`] : []),
    ...(type === "array" && !items ? [`${place}: has items of any kind`] : []),
    ...("enum" in schema && (schema["enum"] as unknown[]).length === 0
      ? [`${place}: is empty`]
      : []),
    ...(type === undefined && !anyOf && !("$ref" in schema) ? [`${place}: may be anything`] : []),
    ...[...fields, ...Object.entries(($defs ?? {}) as Record<string, JsonSchema>)].flatMap(
      ([name, inner]) => faultsOf(inner, `${place}.${name}`),
    ),
    ...(items ? faultsOf(items as JsonSchema, `${place}[]`) : []),
    ...((anyOf ?? []) as JsonSchema[]).flatMap((one, at) => faultsOf(one, `${place}|${at}`)),
  ];
}
