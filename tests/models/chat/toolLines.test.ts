import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { callSignatureText, outputText, signatureText } from "../../../models/chat/toolLines.js";

describe("the signature of a tool", () => {
  it("lists the parameters in order, and the result if known", () => {
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

  it("is valid TypeScript for any names and descriptions", () => {
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
    [
      {
        type: "array",
        items: { $ref: "#/$defs/item" },
        $defs: {
          item: { type: "object", properties: { id: {}, parts: { $ref: "#/$defs/parts" } } },
          parts: { type: "array", items: { $ref: "#/$defs/item" } },
        },
      },
      "{ id, parts[] }[]",
    ],
  ])("is told in as few words as that needs: %j", (schema, text) => {
    expect(outputText(schema)).toBe(text);
  });
});
