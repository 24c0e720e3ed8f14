import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/**
 * A document of Swagger 2.0 with what stands elsewhere in OpenAPI 3. Parameters and responses stay as they are: operations
 * are read in both forms.
 */
export function fromVersion2(document: JsonSchema): JsonSchema {
  const text = JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/');
  const { definitions, securityDefinitions, consumes, ...written } = JSON.parse(text) as JsonSchema;
  const withLists = ({ parameters, ...one }: JsonSchema): JsonSchema =>
    Array.isArray(parameters) ? { ...one, parameters: parameters.map(asObject(listed)) } : one;
  return {
    ...written,
    parameters: each(written["parameters"], listed),
    paths: each(written["paths"], (item) =>
      withLists(
        each(item, (operation) => ({ ...(consumes ? { consumes } : {}), ...withLists(operation) })),
      ),
    ),
    components: {
      schemas: each(definitions, ({ discriminator: propertyName, ...schema }) =>
        typeof propertyName === "string" ? { ...schema, discriminator: { propertyName } } : schema,
      ),
      securitySchemes: each(securityDefinitions, (one) =>
        one["type"] === "basic" ? { type: "http", scheme: "basic" } : one,
      ),
    },
  };
}

/** Lists are joined by commas unless a parameter says otherwise. */
function listed(one: JsonSchema): JsonSchema {
  return one["type"] === "array" ? { collectionFormat: "csv", ...one } : one;
}

/** A map with its objects changed. */
function each(map: unknown, change: (value: JsonSchema) => JsonSchema): JsonSchema {
  const entries = isSchema(map) ? Object.entries(map) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, asObject(change)(value)]));
}

function asObject(change: (value: JsonSchema) => JsonSchema) {
  return (value: unknown) => (isSchema(value) ? change(value) : value);
}
