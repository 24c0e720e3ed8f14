import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededAnswer, seededWorld } from "../../../eval/oracle/seededWorld.js";
import { validateArguments } from "../../../tools/runtime/validateArguments.js";
import type { JsonSchema } from "../../../tools/tool.js";
import { toolNamed } from "./support.js";

const scalar = fc.constantFrom<JsonSchema>(
  { type: "string" },
  { type: "string", format: "date" },
  { type: "string", enum: ["a", "b"] },
  { type: "integer", minimum: 5, maximum: 7 },
  { type: "number" },
  { type: "boolean" },
  { type: ["null", "number"] },
  { const: 4 },
);

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    tie("schema").map((items) => ({ type: "array", items })),
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("schema"), { maxKeys: 3 })
      .map((properties) => ({ type: "object", properties, required: Object.keys(properties) })),
  ),
}));

describe("the seeded world", () => {
  it("gives a value of the type that a tool returns", () => {
    fc.assert(
      fc.property(schema, fc.dictionary(fc.string(), fc.integer()), (returns, args) => {
        const value = seededAnswer({ tool: { id: "t", returns }, args });
        const parameters = { type: "object" as const, properties: { value: returns } };
        const record = { name: "t", hash: JSON.stringify(returns), parameters };
        expect(validateArguments({ record, args: { value } })).toMatchObject({ ok: true });
      }),
      // Compiling each schema takes time.
      { numRuns: 20 },
    );
  });

  it("gives the same value for the same call, and another value for another call", () => {
    const tool = { id: "t", returns: { type: "object", properties: { id: { type: "string" } } } };
    const first = seededAnswer({ tool, args: { a: 1, b: 2 } });
    expect(seededAnswer({ tool, args: { b: 2, a: 1 } })).toEqual(first);
    expect(seededAnswer({ tool, args: { a: 2, b: 2 } })).not.toEqual(first);
  });

  it("ends a type that contains itself", () => {
    const returns = { type: "object", properties: { next: { $ref: "#" } } };
    expect(JSON.stringify(seededAnswer({ tool: { id: "t", returns }, args: {} }))).toContain(
      "next",
    );
  });

  it("answers calls of its tools, with a text if they do not describe their result", () => {
    const world = seededWorld([toolNamed("find")]);
    expect(world.answer?.(null, { tool: "find", args: {} })).toEqual({
      result: expect.stringMatching(/^result \d+$/),
    });
    expect(world.answer?.(null, { tool: "other", args: {} })).toEqual({
      error: "unknown tool other",
    });
  });
});
