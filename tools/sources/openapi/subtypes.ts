import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

const SCHEMAS = "#/components/schemas/";

/**
 * The document with the subtypes of a schema as its alternatives. With a discriminator, those that contain a schema by
 * `allOf` may stand wherever it stands, and documents say so only there.
 */
export function withSubtypes(document: JsonSchema): JsonSchema {
  const { components } = document;
  const schemas = isSchema(components) ? components["schemas"] : undefined;
  if (!isSchema(components) || !isSchema(schemas)) return document;
  const added: JsonSchema = {};
  for (const [name, base] of Object.entries(schemas)) {
    if (!isSchema(base) || !isSchema(base["discriminator"])) continue;
    if (Array.isArray(base["oneOf"]) || Array.isArray(base["anyOf"])) continue;
    const ref = `${SCHEMAS}${name}`;
    const subtypes = Object.keys(schemas).filter((each) => extended(schemas[each]).includes(ref));
    if (subtypes.length === 0) continue;
    // The subtypes contain the schema itself, without its alternatives.
    const own = `${name} itself`;
    added[own] = base;
    for (const subtype of subtypes) {
      const written = (added[subtype] ?? schemas[subtype]) as JsonSchema;
      const allOf = (written["allOf"] as unknown[]).map((part) =>
        isSchema(part) && part["$ref"] === ref ? { ...part, $ref: `${SCHEMAS}${own}` } : part,
      );
      added[subtype] = { ...written, allOf };
    }
    const anyOf = [...subtypes, own].map((each) => ({ $ref: `${SCHEMAS}${each}` }));
    added[name] = { ...((added[name] ?? base) as JsonSchema), anyOf };
  }
  return { ...document, components: { ...components, schemas: { ...schemas, ...added } } };
}

function extended(schema: unknown): unknown[] {
  const parts = isSchema(schema) && Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return parts.filter(isSchema).map(({ $ref }) => $ref);
}
