import { array, assert, constantFrom, nat, property, tuple } from "fast-check";
import { expect, it } from "vitest";
import { schemaCheck } from "../../../../tools/calls/engine/schemaCheck.js";
import { schemesOf } from "../../../../tools/sources/openapi/settings.js";
import { operationsOf } from "../../../../tools/sources/openapi/operations.js";
import { toTool } from "../../../../tools/sources/openapi/listOpenApi.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const DOCUMENT = {
  openapi: "3.0.0",
  servers: [{ url: "https://{a}.example", variables: { a: { default: "b" } } }],
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    schemas: {
      A: {
        type: "object",
        allOf: [reference("A"), reference("B")],
        required: ["a"],
        properties: { a: reference("A"), b: { type: "array", items: reference("B") } },
      },
      B: { oneOf: [{ type: "string", maxLength: 3 }, reference("A")], nullable: true, enum: ["a"] },
    },
  },
  paths: {
    "/a/{id}": {
      parameters: [{ name: "id", in: "path", schema: { type: "string" } }],
      get: {
        parameters: [{ name: "page", in: "query", schema: { type: "integer", minimum: 1 } }],
        responses: {
          200: {
            headers: { Link: {} },
            content: { "application/json": { schema: { type: "array", items: reference("A") } } },
          },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: { "application/json": { schema: reference("A") } },
        },
        responses: {},
      },
    },
  },
};

const junk = constantFrom<unknown>(
  null,
  0,
  -1,
  "",
  "x",
  true,
  [],
  [null],
  ["x", "x"],
  {},
  { a: null },
  reference("A"),
  { $ref: "#/" },
  { $ref: 5 },
);

/** All places in a value: the containing object or list, and the key in it. */
function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [[holder, name], ...placesIn(holder[name])]);
}

it("makes of any document tools that can be called, or none", () => {
  const changes = array(tuple(nat(), junk), { minLength: 1, maxLength: 3 });
  assert(
    property(changes, (made) => {
      const document: JsonSchema = structuredClone(DOCUMENT);
      for (const [at, value] of made) {
        const places = placesIn(document);
        const [holder, name] = places[at % places.length] ?? [];
        if (holder && name !== undefined) holder[name] = structuredClone(value);
      }
      schemesOf(document, new Set());
      const facts = { api: "shop", document, provider: "Shop" };
      const tools = operationsOf(document).operations.map((operation) =>
        toTool({ operation, id: "it", server: "https://shop.example", facts }),
      );
      const schemas = tools.flatMap((tool) => [tool?.parameters ?? {}, tool?.returns ?? {}]);
      const faults = schemas.map((schema) => schemaCheck(JSON.stringify(schema), schema));
      expect(faults.filter((fault) => typeof fault === "string")).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
