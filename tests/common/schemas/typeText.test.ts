import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { typeText } from "../../../common/schemas/typeText.js";

describe("the TypeScript type of a schema", () => {
  it.each([
    [{ type: "integer" }, "number"],
    [{ type: "string", enum: ["km", "mi"] }, '"km" | "mi"'],
    [{ const: 3 }, "3"],
    [{ const: null }, "null"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { enum: [1, 2] } }, "(1 | 2)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: ["number", "null"] }, "number | null"],
    [{ anyOf: [{ type: "boolean" }, { type: "boolean" }, { type: "string" }] }, "boolean | string"],
    [{ allOf: [{ type: "object", properties: { a: {} } }, {}] }, "{ a?: unknown } & unknown"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: false }, "{}"],
    [
      { type: "object", properties: { "a-b": { type: "number" }, c: {} }, required: ["c"] },
      '{ "a-b"?: number; c: unknown }',
    ],
    [{ properties: { a: { type: "string" } } }, "{ a?: string }"],
    [{ type: "colour" }, "unknown"],
    [{ $ref: "#/elsewhere" }, "unknown"],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "string"],
    [
      {
        $ref: "#/$defs/tree",
        $defs: { tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } } } },
      },
      "{ next?: unknown }",
    ],
    ["no schema", "unknown"],
  ])("of %j is %s", (schema, type) => {
    expect(typeText(schema)).toBe(type);
  });

  it("is one line of valid TypeScript for any schema", () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const text = typeText(schema);
        expect(text).not.toContain("\n");
        const { diagnostics } = ts.transpileModule(`type T = ${text};`, {
          reportDiagnostics: true,
        });
        expect(diagnostics).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom({}, { type: "string" }, { $ref: "#" }, { $ref: "#/properties/a" }),
    fc.record({ enum: fc.array(fc.jsonValue(), { maxLength: 3 }) }),
    fc.record({ const: fc.jsonValue() }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.string(), tie("schema"), { maxKeys: 3 }),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
  ),
}));
