import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../tools/sources/functions/functions.js";
import { fixture, readText, toolOf } from "./support.js";

const reading = readFunctions({ file: fixture("types.ts") });

const COLOR = {
  type: "string",
  enum: ["red", "green", "blue"],
  description: "red = Red, green = Green",
};

const PLACE_PROPERTIES = {
  city: { type: "string", description: "The name of the city." },
  position: {
    type: "object",
    properties: { north: { type: "number" }, east: { type: "number" } },
    required: ["north", "east"],
    description: "Degrees north and east, as decimals.",
  },
};

const CHOICES_XY = { type: "string", enum: ["y", "x"] };

/** Exports whose only parameter is `value`, and its schema. */
const VALUES: Record<string, object> = {
  template: { type: "string" },
  mixedLiterals: {
    anyOf: [
      { type: "string", enum: ["auto"] },
      { type: "number", enum: [0] },
      { type: "boolean", enum: [false] },
      { type: "null" },
    ],
  },
  textEnum: COLOR,
  numberEnum: { type: "number", enum: [0, 5], description: "how urgent (0 = Low, 5 = High)" },
  enumOrNull: { anyOf: [COLOR, { type: "null" }] },
  pair: {
    type: "array",
    prefixItems: [
      { type: "number", description: "latitude" },
      { type: "number", description: "longitude" },
    ],
    items: { type: "number" },
    minItems: 2,
    maxItems: 2,
  },
  tuple: {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "boolean" }],
    items: { anyOf: [{ type: "string" }, { type: "boolean" }] },
    minItems: 1,
    maxItems: 2,
  },
  openTuple: {
    type: "array",
    prefixItems: [{ type: "string" }],
    items: { anyOf: [{ type: "string" }, { type: "number" }] },
    minItems: 1,
  },
  emptyTuple: { type: "array", maxItems: 0 },
  branded: { type: "string" },
  recordByNumber: { type: "object", additionalProperties: { type: "string" } },
  key: { type: "string", enum: ["city", "position"] },
  computedChoice: { type: "string", enum: ["m", "s", "xl"] },
};

const TREE = {
  type: "object",
  properties: {
    name: { type: "string" },
    children: { type: "array", items: { $ref: "#/$defs/Tree" } },
  },
  required: ["name", "children"],
};

/** Exports with other parameters, and their properties. */
const PROPERTIES: Record<string, object> = {
  readonlyList: {
    value: { type: "array", items: { type: "number" } },
    other: { type: "array", items: { type: "string" } },
  },
  nested: {
    place: { type: "object", properties: PLACE_PROPERTIES, required: ["city"] },
    at: { type: "number" },
  },
  inherited: {
    address: {
      type: "object",
      properties: { street: { type: "string" }, ...PLACE_PROPERTIES },
      required: ["street", "city"],
    },
    at: { type: "number" },
  },
  utility: {
    part: { type: "object", properties: PLACE_PROPERTIES },
    pick: { type: "object", properties: { street: { type: "string" } }, required: ["street"] },
    map: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
  intersection: {
    value: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a"],
    },
    at: { type: "number" },
  },
  aliases: {
    seconds: { type: "number" },
    shape: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["circle"] }, radius: { type: "number" } },
          required: ["kind", "radius"],
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["square"] }, side: { type: "number" } },
          required: ["kind", "side"],
        },
      ],
    },
  },
  recordWithNames: {
    value: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: { type: "string" },
    },
    at: { type: "number" },
  },
  generic: { value: CHOICES_XY, others: { type: "array", items: CHOICES_XY } },
  absent: {
    value: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    at: { type: "number" },
  },
};

const RECURSIVE = ["recursive", "recursiveRoot", "recursiveAlias", "recursiveGenerics"];

function boxOf(type: string, name: string): object {
  return {
    type: "object",
    properties: { value: { type }, inner: { $ref: `#/$defs/${name}` } },
    required: ["value"],
  };
}

describe("The schema of a type", () => {
  it("is written for every function of the fixture.", () => {
    expect(reading.problems).toEqual([]);
    const expected = [...Object.keys(VALUES), ...Object.keys(PROPERTIES), ...RECURSIVE];
    expect(reading.tools.map((tool) => tool.name).toSorted()).toEqual(expected.toSorted());
  });

  it.each(Object.entries(VALUES))("of the parameter of %s is complete.", (name, value) => {
    expect(toolOf(reading, name).parameters).toEqual({
      type: "object",
      properties: { value },
      required: ["value"],
      additionalProperties: false,
    });
  });

  it.each(Object.entries(PROPERTIES))(
    "of each parameter of %s is complete.",
    (name, properties) => {
      expect(toolOf(reading, name).parameters).toEqual({
        type: "object",
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      });
    },
  );

  it("refers to a recursive interface by its name.", () => {
    expect(toolOf(reading, "recursive").parameters).toEqual({
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree" }, depth: { type: "number" } },
      required: ["tree", "depth"],
      additionalProperties: false,
      $defs: { Tree: TREE },
    });
    expect(toolOf(reading, "recursive").returns).toEqual({
      $ref: "#/$defs/Tree",
      $defs: { Tree: TREE },
    });
  });

  it("stays an object at the root when the only parameter is recursive.", () => {
    expect(toolOf(reading, "recursiveRoot").parameters).toEqual({
      ...TREE,
      additionalProperties: false,
      $defs: { Tree: TREE },
    });
  });

  it("refers to a recursive alias by its name, even if it is optional.", () => {
    expect(toolOf(reading, "recursiveAlias").parameters).toEqual({
      type: "object",
      properties: { value: { $ref: "#/$defs/Json" } },
      additionalProperties: false,
      $defs: {
        Json: {
          anyOf: [
            { type: "string" },
            { type: "number" },
            { type: "boolean" },
            { type: "null" },
            { type: "array", items: { $ref: "#/$defs/Json" } },
            { type: "object", additionalProperties: { $ref: "#/$defs/Json" } },
          ],
        },
      },
    });
  });

  it("keeps two instances of a recursive generic type apart.", () => {
    expect(toolOf(reading, "recursiveGenerics").parameters).toEqual({
      type: "object",
      properties: { left: { $ref: "#/$defs/Box" }, right: { $ref: "#/$defs/Box2" } },
      required: ["left", "right"],
      additionalProperties: false,
      $defs: { Box: boxOf("string", "Box"), Box2: boxOf("number", "Box2") },
    });
  });

  it("can be compiled in the dialects that validators and providers use.", () => {
    for (const validator of [new Ajv({ strict: false }), new Ajv2020({ strict: false })]) {
      formats.default(validator);
      for (const { parameters } of reading.tools) {
        expect(() => validator.compile(parameters)).not.toThrow();
      }
      const pair = validator.compile(toolOf(reading, "pair").parameters);
      expect(pair({ value: [1, 2] })).toBe(true);
      expect(pair({ value: [1, "2"] })).toBe(false);
      expect(pair({ value: [1, 2, 3] })).toBe(false);
      const tree = validator.compile(toolOf(reading, "recursiveRoot").parameters);
      expect(tree({ name: "a", children: [{ name: "b", children: [] }] })).toBe(true);
      expect(tree({ name: "a", children: [{ name: "b" }] })).toBe(false);
    }
  });

  it("does not depend on the rest of the file.", async () => {
    const tool = `
      /** Pick one. */
      export function pick(
        size: "b" | "a" | "c",
        keys: Record<"y" | "x", number>,
        part: Pick<{ q: string; p: string }, "q" | "p">,
      ): "r" | "s" { return "r"; }`;
    const before = `export type Other = "c" | "a" | "x" | "p" | "s";`;
    const alone = await readText(tool);
    const beside = await readText(before + tool);
    expect(JSON.stringify(toolOf(beside, "pick").parameters)).toBe(
      JSON.stringify(toolOf(alone, "pick").parameters),
    );
    expect(toolOf(beside, "pick").returns).toEqual({ type: "string", enum: ["r", "s"] });
  });
});
