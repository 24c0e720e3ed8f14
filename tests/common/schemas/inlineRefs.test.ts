import { describe, expect, it } from "vitest";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { referredSchema } from "../../../common/schemas/referredSchema.js";

describe("the target of a reference", () => {
  const root = {
    $defs: { "a/b": { type: "string" }, "c d": { type: "number" }, "50%": { type: "null" } },
    properties: { list: { type: "array", items: { type: "boolean" } } },
  };

  it.each([
    ["#/$defs/a~1b", { type: "string" }],
    ["#/$defs/c%20d", { type: "number" }],
    ["#/$defs/50%", { type: "null" }],
    ["#/properties/list/items", { type: "boolean" }],
    ["#", root],
    ["#/$defs/none", {}],
    ["#/$defs/constructor", {}],
    ["#/properties/list/type", {}],
  ])("%s is found as %j", (ref, schema) => {
    expect(referredSchema({ root, ref })).toEqual(schema);
  });
});

describe("a schema with its references replaced by their targets", () => {
  it("keeps keywords next to a reference, and no longer needs definitions", () => {
    const schema = {
      type: "object",
      properties: { to: { $ref: "#/$defs/place", description: "Where to" } },
      $defs: { place: { type: "string", description: "A place" } },
    };
    expect(inlineRefs(schema)).toEqual({
      type: "object",
      properties: { to: { type: "string", description: "Where to" } },
    });
  });

  it("allows anything where a type contains itself", () => {
    const schema = {
      $ref: "#/definitions/node",
      definitions: {
        node: { type: "object", properties: { left: { $ref: "#/definitions/node" }, size: {} } },
      },
    };
    expect(inlineRefs(schema)).toEqual({ type: "object", properties: { left: {}, size: {} } });
  });

  it("does not grow without bound if every type refers to the next one many times", () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      `l${level}`,
      { anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/l${level + 1}` })) },
    ]);
    const schema = { $ref: "#/$defs/l0", $defs: Object.fromEntries(levels) as object };
    expect(JSON.stringify(inlineRefs(schema)).length).toBeLessThan(20_000);
  });
});
