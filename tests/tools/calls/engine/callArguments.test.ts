import { describe, expect, test } from "vitest";
import { callArguments } from "../../../../tools/calls/engine/callArguments.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import { NUMBER, TEXT, toolRecord } from "../support.js";

const DATE = { type: "string", format: "date-time" };
const NOON = "2024-05-01T12:00:00Z";

/** What the only parameter becomes. */
function converted(schema: JsonSchema, value: unknown, $defs: Record<string, JsonSchema> = {}) {
  const record = toolRecord("tool", { properties: { value: schema } });
  const parameters = { ...record.parameters, $defs };
  return callArguments({ record: { ...record, parameters }, args: { value } })[0];
}

describe("arguments", () => {
  const record = toolRecord("f", { properties: { a: NUMBER, b: TEXT, c: NUMBER } });

  test("are passed one by one in the order of the signature, missing ones as undefined", () => {
    expect(callArguments({ record, args: { c: 3, a: 1 } })).toEqual([1, undefined, 3]);
  });

  test("are passed as one object if the function takes one", () => {
    const object = toolRecord("f", { properties: { a: NUMBER }, source: { callStyle: "object" } });
    expect(callArguments({ record: object, args: { a: 1 } })).toEqual([{ a: 1 }]);
  });

  test("are passed to a LangChain tool as they are", () => {
    const tool = toolRecord("f", { properties: { at: DATE }, source: { kind: "langchain" } });
    expect(callArguments({ record: tool, args: { at: NOON } })).toEqual([{ at: NOON }]);
  });
});

describe("a date-time", () => {
  const node: JsonSchema = {
    type: "object",
    properties: { at: DATE, next: { $ref: "#/$defs/Node" } },
  };

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["itself", DATE, NOON, new Date(NOON)],
    ["in a tuple", { prefixItems: [NUMBER, DATE] }, [1, NOON], [1, new Date(NOON)]],
    ["in a record", { additionalProperties: DATE }, { x: NOON }, { x: new Date(NOON) }],
    ["in a union with null", { anyOf: [DATE, { type: "null" }] }, NOON, new Date(NOON)],
    ["in a union with text", { anyOf: [TEXT, DATE] }, NOON, NOON],
    ["that is text in a union", { anyOf: [DATE, TEXT] }, "soon", "soon"],
    [
      "in the member of a union that is meant",
      {
        anyOf: [
          { type: "object", properties: { kind: { const: "text" }, at: TEXT }, required: ["kind"] },
          { type: "object", properties: { kind: { const: "date" }, at: DATE }, required: ["kind"] },
        ],
      },
      { kind: "date", at: NOON },
      { kind: "date", at: new Date(NOON) },
    ],
    [
      "in a recursive type",
      { $ref: "#/$defs/Node" },
      { at: NOON, next: { at: NOON } },
      { at: new Date(NOON), next: { at: new Date(NOON) } },
    ],
  ])("%s becomes what the function takes", (_where, schema, value, expected) => {
    expect(converted(schema, value, { Node: node })).toEqual(expected);
  });
});
