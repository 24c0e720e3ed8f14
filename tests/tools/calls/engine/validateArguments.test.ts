import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateArguments } from "../../../../tools/calls/engine/validateArguments.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import { NUMBER, TEXT, toolRecord } from "../support.js";

const cylinder = toolRecord("volume", {
  properties: {
    radius: NUMBER,
    height: NUMBER,
    unit: { enum: ["cm", "m"], default: "m" },
    digits: { type: "integer", minimum: 0 },
    labels: { type: "array", items: TEXT },
    at: { type: "string", format: "date-time" },
    base: {
      anyOf: [
        { type: "number" },
        { type: "object", properties: { area: NUMBER }, required: ["area"] },
      ],
    },
    points: {
      type: "array",
      items: { type: "object", properties: { x: NUMBER }, required: ["x"] },
    },
  },
  required: ["radius", "height"],
});

function problemOf(
  args: unknown,
  record: Parameters<typeof validateArguments>[0]["record"] = cylinder,
): string {
  const check = validateArguments({ record, args });
  return check.ok ? "none" : check.problem;
}

const valid = { radius: 1, height: 2 };

/** What is said of a colour where the schema of a tool that has none says this besides. */
function problemWith(more: JsonSchema): string {
  const { additionalProperties: _, ...parameters } = cylinder.parameters;
  const record = {
    ...cylinder,
    hash: `cylinder ${JSON.stringify(more)}`,
    parameters: { ...parameters, ...more },
  };
  return problemOf({ ...valid, colour: "red" }, record);
}

describe("an argument that the tool does not know", () => {
  test("is a problem if the schema says nothing about other arguments", () => {
    expect(problemWith({})).toMatch(/^unknown parameter `colour`; parameters: radius, height, /);
  });

  test("is not a problem if the schema allows others, or may declare them elsewhere", () => {
    expect(problemWith({ additionalProperties: true })).toBe("none");
    expect(problemWith({ patternProperties: { "^c": TEXT } })).toBe("none");
    expect(problemWith({ allOf: [{ properties: { colour: TEXT } }] })).toBe("none");
  });
});

test("valid arguments are copied and get defaults, while the given ones stay as they are", () => {
  const args = { radius: 1, height: 2, labels: ["a"] };
  const check = validateArguments({ record: cylinder, args });
  expect(check).toEqual({ ok: true, args: { ...args, unit: "m" } });
  expect(args).toEqual({ radius: 1, height: 2, labels: ["a"] });
});

describe("a problem", () => {
  test.each<[string, unknown, string]>([
    [
      "a wrong type",
      { ...valid, radius: "five" },
      '`radius` must be a number, got the text "five"',
    ],
    ["a bound", { ...valid, digits: -1 }, "`digits` must be >= 0, got the number -1"],
    ["a missing parameter", { radius: 1 }, "missing `height` (a number)"],
    [
      "an unknown parameter",
      { ...valid, hight: 1 },
      "unknown parameter `hight`; did you mean `height`?; parameters: radius, height, unit, digits, labels, at, base, points",
    ],
    ["a choice", { ...valid, unit: "km" }, '`unit` must be one of "cm", "m", got the text "km"'],
    [
      "a date",
      { ...valid, at: "yesterday" },
      '`at` must be a date and time such as 2024-05-01T12:00:00Z, got the text "yesterday"',
    ],
    [
      "a union",
      { ...valid, base: true },
      "`base` must be a number or an object with area, got true",
    ],
    [
      "a list",
      { ...valid, labels: "a" },
      '`labels` must be a list (each a text), got the text "a"',
    ],
    [
      "a nested place",
      { ...valid, points: [{ x: 1 }, { x: null }, {}] },
      "`points[1].x` must be a number, got null; missing `points[2].x` (a number)",
    ],
    [
      "what is not an object",
      "radius 5",
      'the arguments must be an object with radius, height, unit, digits, labels, at, base, points, got the text "radius 5"',
    ],
  ])("names %s in words", (_what, args, problem) => {
    expect(problemOf(args)).toBe(problem);
  });

  test.each<[string, JsonSchema]>([
    ["an unknown type", { type: "decimal" }],
    ["a reference to nowhere", { $ref: "#/$defs/Nothing" }],
    ["a broken pattern", { type: "string", pattern: "(" }],
  ])("tells that a schema with %s cannot be used", (_what, schema) => {
    const record = toolRecord("broken", { properties: { x: schema } });
    expect(problemOf({ x: 1 }, record)).toMatch(/^the tool's schema cannot be used: \S+/);
  });

  test("follows a schema that names draft-07", () => {
    const record = toolRecord("old", {
      properties: { pair: { type: "array", items: [NUMBER, TEXT] } },
    });
    const parameters = { $schema: "http://json-schema.org/draft-07/schema#", ...record.parameters };
    const old = { ...record, hash: "old", parameters };
    expect(problemOf({ pair: [1, "a"] }, old)).toBe("none");
    expect(problemOf({ pair: ["a", 1] }, old)).toContain("`pair[0]` must be a number");
  });

  test("is always one line, and checking never throws or changes the arguments", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom("radius", "base", "points", "__proto__"), fc.jsonValue()),
        ),
        (args) => {
          const before = JSON.stringify(args);
          expect(problemOf(args)).not.toContain("\n");
          expect(JSON.stringify(args)).toBe(before);
        },
      ),
    );
  });
});
