import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  callSignatureText,
  outputText,
  signatureText,
  toolLines,
} from "../../../models/chat/toolLines.js";

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

describe("the lines of a tool", () => {
  const tool = {
    name: "get_page",
    description: `Gets a page. ${"It has many words. ".repeat(30)}\nError Responses:\n400: Bad request`,
    parameters: {
      type: "object",
      properties: {
        page: { type: "string", description: "The page" },
        since: { type: "string", default: null, description: "A date. ".repeat(30) },
      },
    },
  };

  it("leave out sections on failures, and what only repeats names", () => {
    const lines = toolLines([tool]);
    expect(lines).toContain("It has many words.");
    expect(lines).not.toMatch(/Bad request|The page|default/);
    const between = "Gets it.\nErrors:\n400: Bad\nReturns:\nA page";
    expect(toolLines([{ ...tool, description: between }])).toContain("A page");
  });

  it("cut long descriptions off where they are to be brief", () => {
    const [whole, brief] = [{}, { isBrief: true }].map((options) => toolLines([tool], options));
    expect(whole).not.toContain("…");
    expect(brief).toMatch(
      /^- get_page\(page\?: string, since\?: string\)\n {2}Gets a page\..* …\n/,
    );
    expect(brief?.length).toBeLessThan(550);
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
