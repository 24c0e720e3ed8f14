import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/**
 * A document of Swagger 2.0 with the parts of OpenAPI 3 that stand elsewhere there. Its parameters and responses stay as they
 * are: operations are read in both forms.
 */
export function fromVersion2(document: JsonSchema): JsonSchema {
  const text = JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/');
  const { definitions, securityDefinitions, consumes, ...written } = JSON.parse(text) as JsonSchema;
  const listed = (parameter: unknown) =>
    isSchema(parameter) && parameter["type"] === "array" && parameter["in"] !== "body"
      ? { collectionFormat: "csv", ...parameter }
      : parameter;
  const operation = (given: unknown) =>
    isSchema(given) ? { ...(consumes ? { consumes } : {}), ...withLists(given, listed) } : given;
  const item = (given: unknown) =>
    isSchema(given) ? withLists(each(given, operation), listed) : given;
  return {
    ...written,
    parameters: each(written["parameters"], listed),
    paths: each(written["paths"], item),
    components: {
      schemas: each(definitions, withDiscriminator),
      securitySchemes: each(securityDefinitions, (scheme) =>
        isSchema(scheme) && scheme["type"] === "basic"
          ? { ...scheme, type: "http", scheme: "basic" }
          : scheme,
      ),
    },
  };
}

function each(map: unknown, change: (value: unknown) => unknown): JsonSchema {
  const entries = isSchema(map) ? Object.entries(map) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)]));
}

function withLists(holder: JsonSchema, listed: (parameter: unknown) => unknown): JsonSchema {
  const { parameters } = holder;
  return Array.isArray(parameters) ? { ...holder, parameters: parameters.map(listed) } : holder;
}

function withDiscriminator(schema: unknown): unknown {
  if (!isSchema(schema) || typeof schema["discriminator"] !== "string") return schema;
  return { ...schema, discriminator: { propertyName: schema["discriminator"] } };
}
