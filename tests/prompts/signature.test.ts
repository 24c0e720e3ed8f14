import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { callSignatureText, outputText, signatureText, typeText } from "../../prompts/signature.js";

describe("the signature of a tool", () => {
  it.each([
    [{ type: "integer" }, "number"],
    [{ type: "string", enum: ["km", "mi"] }, '"km" | "mi"'],
    [{ const: 3 }, "3"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { enum: [1, 2] } }, "(1 | 2)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: ["number", "null"] }, "number | null"],
    [{ anyOf: [{ type: "boolean" }, { type: "boolean" }, { type: "string" }] }, "boolean | string"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [{ type: "object" }, "Record<string, unknown>"],
    [
      { type: "object", properties: { "a-b": { type: "number" }, c: {} }, required: ["c"] },
      '{ "a-b"?: number; c: unknown }',
    ],
    [{ $ref: "#/elsewhere" }, "unknown"],
  ])("writes %j as %s", (schema, type) => {
    expect(typeText(schema)).toBe(type);
  });

  it("names the parameters in their order, and the result where it is known", () => {
    const parameters = {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a"],
    };
    const add = { name: "add", description: "", parameters };
    expect(signatureText(add)).toBe("add(a: number, b?: number)");
    expect(signatureText({ ...add, returns: { type: "number" } })).toBe(
      "add(a: number, b?: number): number",
    );
  });

  it("is valid TypeScript, whatever names and descriptions are", () => {
    const named = fc.record({
      name: fc.string(),
      description: fc.string(),
      key: fc.string(),
      text: fc.oneof(fc.string(), fc.constant("*/ } evil(); /*")),
    });
    fc.assert(
      fc.property(named, ({ name, description, key, text }) => {
        const properties = JSON.parse(
          JSON.stringify({ [key]: { type: "string", description: text } }),
        ) as Record<string, unknown>;
        const code = callSignatureText({ name, description, parameters: { properties } });
        const { diagnostics = [] } = ts.transpileModule(
          `declare ${code.slice(code.indexOf("function"))}`,
          {
            reportDiagnostics: true,
          },
        );
        expect(diagnostics).toEqual([]);
        const whole = ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest);
        expect(whole.statements.map(({ kind }) => kind)).toEqual([
          ts.SyntaxKind.FunctionDeclaration,
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what a tool returns, for whoever refers to it", () => {
  it.each([
    [{ type: "number" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ type: "object" }, "Record<string, unknown>"],
    [
      {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string" },
            tags: { type: "array", items: { type: "string" } },
            owner: { type: "object", properties: { "first name": { type: "string" } } },
            sizes: { type: "array", items: { type: "object", properties: { width: {} } } },
          },
        },
      },
      '{ id, tags[], owner: { "first name" }, sizes: { width }[] }[]',
    ],
  ])("is told in as few words as that needs: %j", (schema, text) => {
    expect(outputText(schema)).toBe(text);
  });
});
