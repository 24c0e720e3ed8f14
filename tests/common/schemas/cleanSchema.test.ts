import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireParameters } from "../../../common/schemas/argumentNames.js";
import { cleanParameters, cleanReturns } from "../../../common/schemas/cleanParameters.js";
import { cleanSchema } from "../../../common/schemas/cleanSchema.js";
import { compileSchema } from "../../../common/schemas/compileSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

const takes = (schema: unknown, value: unknown): unknown =>
  compileSchema(cleanSchema(schema).schema)(structuredClone(value));

describe("A schema of another draft or language", () => {
  it.each<[what: string, written: object, taken: unknown, refused?: unknown]>([
    ["a flag that excludes a bound", { minimum: 0, exclusiveMinimum: true }, 1, 0],
    ["a flag that does not", { maximum: 5, exclusiveMaximum: false }, 5, 6],
    ["a list as items", { items: [{ type: "number" }, { type: "string" }] }, [1, "a"], ["a"]],
    [
      "items beyond a list",
      { items: [{ type: "number" }], additionalItems: { type: "string" } },
      [1, "a"],
      [1, 2],
    ],
    ["a number as text", { type: "string", minLength: "2" }, "ab", "a"],
    ["divisibleBy", { type: "integer", divisibleBy: 5 }, 10, 9],
    [
      "dependencies",
      { properties: { a: {} }, dependencies: { a: ["b"] } },
      { a: 1, b: 2 },
      { a: 1 },
    ],
    ["capitals", { type: "STRING" }, "x", 1],
    ["a type of a programming language", { type: "int" }, 1, "x"],
    ["nullable", { type: "string", nullable: true }, null, 1],
    [
      "a nullable reference",
      {
        properties: { a: { $ref: "#/$defs/A", nullable: true } },
        $defs: { A: { type: "string" } },
      },
      { a: null },
      { a: 1 },
    ],
    [
      "alternatives of which a value fits two",
      { oneOf: [{ type: "integer" }, { type: "number" }, null] },
      3,
    ],
    ["alternatives beside others", { oneOf: [{ minimum: 1 }], anyOf: [{ maximum: 9 }] }, 5, 10],
    ["cents", { type: "number", multipleOf: 0.01 }, 19.99, 19.999],
    ["nullable choices", { type: "string", nullable: true, enum: ["a"] }, null, "b"],
    ["required: null", { type: "object", properties: { a: {} }, required: null }, {}],
    ["null for keywords", { type: "array", items: null, minItems: null, enum: null }, ["x"]],
    ["a single schema in anyOf", { anyOf: { type: "string" } }, "x", 1],
    ["choices that repeat", { enum: ["a", "a"] }, "a", "b"],
    ["numbers as choices of a text", { type: "string", enum: [1, 7] }, "7", "8"],
    ["texts as choices of a number", { type: "integer", enum: ["0", "1"] }, 1, 2],
    ["Python's pattern", { type: "string", pattern: "\\A(?P<y>\\d{4})\\Z" }, "2026", "26"],
    ["POSIX's classes", { type: "string", pattern: "^[[:alpha:]]+$" }, "abc", "a1"],
    ["letters of Unicode", { type: "string", pattern: "^\\p{L}+$" }, "größe", "1"],
    ["a pattern between slashes", { type: "string", pattern: "/^[a-z]+$/" }, "abc", "A"],
    [
      "required in a property",
      { type: "object", properties: { a: { type: "string", required: true } } },
      { a: "" },
      {},
    ],
    [
      "a reference by the schema's own address",
      {
        $id: "https://example.com/s",
        properties: { a: { $ref: "https://example.com/s#/$defs/A" } },
        $defs: { A: { type: "string" } },
      },
      { a: "x" },
      { a: 1 },
    ],
    [
      "a reference into what is no keyword",
      {
        properties: { a: { $ref: "#/components/schemas/A" } },
        components: { schemas: { A: { type: "int" } } },
      },
      { a: 1 },
      { a: "x" },
    ],
    ...Object.entries({
      "an anchor": ["#a", { x: { $anchor: "a", type: "string" } }],
      "the address of a part": ["item.json", { x: { $id: "item.json", type: "string" } }],
      "an address that the part shortens": [
        "https://example.com/item.json",
        { x: { $id: "item.json", type: "string" } },
      ],
      "the name of a definition alone": ["A", { A: { type: "string" } }],
      "definitions of the other name": ["#/definitions/A", { A: { type: "string" } }],
      "a place that lacks its beginning": ["#/A", { A: { type: "string" } }],
      "the definitions of an API": ["#/components/schemas/A", { A: { type: "string" } }],
    }).map(([what, [$ref, $defs]]): [string, object, unknown, unknown] => [
      `a reference to ${what}`,
      { properties: { a: { $ref } }, $defs },
      { a: "x" },
      { a: 1 },
    ]),
    [
      "a reference to definitions in a property",
      { properties: { a: { $ref: "#/$defs/A", $defs: { A: { type: "string" } } } } },
      { a: "x" },
      { a: 1 },
    ],
    [
      "a reference to itself as in 2019-09",
      { properties: { v: { type: "number" }, next: { $recursiveRef: "#" } } },
      { next: { v: 1 } },
      { next: { v: "x" } },
    ],
    [
      "a reference to itself as in 2020-12",
      {
        $dynamicAnchor: "node",
        properties: { v: { type: "number" }, next: { $dynamicRef: "#node" } },
      },
      { next: { v: 1 } },
      { next: { v: "x" } },
    ],
    [
      "a reference to the outermost of two parts with one dynamic anchor",
      {
        $dynamicAnchor: "node",
        properties: { v: { type: "number" }, tree: { $ref: "#/$defs/tree" } },
        $defs: { tree: { $dynamicAnchor: "node", properties: { kid: { $dynamicRef: "#node" } } } },
      },
      { tree: { kid: { v: 1 } } },
      { tree: { kid: { v: "x" } } },
    ],
    [
      "required in a property, as a text",
      { properties: { a: { type: "string", required: "true" }, b: { required: "false" } } },
      { a: "" },
      {},
    ],
    [
      "a reference to itself as TypeBox has it",
      { $id: "T0", properties: { v: { type: "number" }, next: { $ref: "T0" } } },
      { next: { v: 1 } },
      { next: { v: "x" } },
    ],
    [
      "a nullable reference in allOf",
      {
        properties: { a: { allOf: [{ $ref: "#/$defs/A" }], nullable: true } },
        $defs: { A: { type: "string", enum: ["x"] } },
      },
      { a: null },
      { a: "y" },
    ],
    ["nullable as a text", { type: "string", nullable: "true" }, null, 1],
    ["brackets for a list", { type: "string[]" }, ["a"], [1]],
    [
      "required among the properties",
      { type: "object", properties: { a: { type: "string" }, required: ["a"] } },
      { a: "x" },
      {},
    ],
    ["required as a text", { properties: { a: {} }, required: "a" }, { a: 1 }, {}],
    [
      "names by Python's pattern",
      { patternProperties: { "^(?P<n>x)-": { type: "string" } } },
      { "x-a": "b" },
      { "x-a": 1 },
    ],
    ["spaces of PCRE", { type: "string", pattern: "^a\\hb$" }, "a b", "ab"],
    [
      "what Zod leaves behind",
      { properties: { a: { _def: { typeName: "ZodString" } } } },
      { a: 1 },
    ],
    [
      "a reference into a list that has moved",
      { properties: { a: { items: [{ type: "number" }] }, b: { $ref: "#/properties/a/items/0" } } },
      { b: 1 },
      { b: "x" },
    ],
  ])("means the same: %s", (_what, written, taken, refused) => {
    expect(takes(written, taken)).toBe(true);
    expect(refused !== undefined && takes(written, refused)).toBe(false);
    expect(cleanSchema(written).losses).toEqual([]);
  });

  it.each<[what: string, written: object, loss: RegExp]>([
    ["a pattern", { type: "string", pattern: "(?i)^[a-z]+$" }, /pattern "\(\?i\)/],
    ["a type", { type: "file" }, /the type "file"/],
    ["a reference", { $ref: "#/$defs/none" }, /"#\/\$defs\/none", which leads nowhere/],
    ["an address", { $ref: "https://example.com/x.json" }, /leads nowhere/],
    ["a bound", { minimum: "low" }, /minimum "low"/],
  ])("says what it loses, with the place: %s", (_what, written, loss) => {
    const { losses } = cleanSchema({
      type: "object",
      properties: { a: { type: "array", items: { type: "object", properties: { b: written } } } },
    });
    expect(losses).toHaveLength(1);
    expect(losses[0]).toMatch(loss);
    expect(losses[0]).toMatch("$ref" in written ? /^the reference/ : /^a\[\]\.b: /);
    expect(takes({ properties: { p: written } }, { p: "Abc" })).toBe(true);
  });

  it.each<[format: string, taken: string[], refused: string[]]>([
    [
      "date-time",
      [
        "2026-03-10T10:00:00",
        "2026-03-10 10:00",
        "2026-03-10T10:00:00.5+0100",
        "2026-03-10T10:00Z",
      ],
      ["2026-02-30T10:00:00Z", "2026-03-10", "10:00", "2026-03-10T25:00:00Z"],
    ],
    ["time", ["10:00", "10:00:00", "10:00:00Z"], ["10", "25:00"]],
    ["email", ["ann@localhost", "jörg@exämple.de"], ["ann", "ann@", "a b@c.de"]],
    ["hostname", ["db_1.local", "größe.example"], ["https://a.b", "a b"]],
    ["url", ["http://localhost:3000/x"], ["x"]],
    ["phone", ["+49 30 1"], []],
    ["uri", ["https://x.example/Köln", "urn:isbn:1", "https://x.example/a b"], ["x", "/x"]],
    ["uri-reference", ["/wiki/Köln?q=a b"], []],
    [
      "uuid",
      ["3f2504e04f8941d39a0c0305e82c3301", "3F2504E0-4F89-41D3-9A0C-0305E82C3301"],
      ["3f2504e0", "x"],
    ],
    ["duration", ["P1D", "1h30m"], []],
    ["regex", ["(?i)a"], []],
  ])("has formats as the programs that take them read them: %s", (format, taken, refused) => {
    const isTaken = (value: string) => takes({ type: "string", format }, value);
    expect(taken.filter((value) => !isTaken(value))).toEqual([]);
    expect(refused.filter(isTaken)).toEqual([]);
  });

  it("allows anything where references lead only to each other", () => {
    const $defs = { loop: { $ref: "#/$defs/turn" }, turn: { $ref: "#/$defs/loop" } };
    const written = { properties: { a: { $ref: "#/$defs/loop" } }, $defs };
    expect(takes(written, { a: 1 })).toBe(true);
    expect(cleanSchema(written).losses).toContain(
      'the reference "#/$defs/loop", which leads nowhere',
    );
  });

  it("that is clean stays as it is, under the name of its draft", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        tree: { $ref: "#/definitions/tree" },
        kind: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }], default: null },
        tags: { type: ["array", "null"], items: { title: "Tag" }, default: [] },
      },
      required: ["tree"],
      additionalProperties: false,
      definitions: {
        tree: { type: "object", properties: { next: { $ref: "#/definitions/tree" } } },
      },
    };
    expect(cleanSchema(schema)).toEqual({ schema, losses: [] });
    expect(cleanSchema(schema).schema).toBe(schema);
  });

  it("always becomes one that can be compiled and that providers take", () => {
    const keyword = fc.constantFrom(
      ..."type properties items required enum const default pattern minimum exclusiveMinimum $ref anyOf allOf not additionalProperties $defs dependencies format nullable $id $anchor $dynamicRef patternProperties".split(
        " ",
      ),
    );
    const { schema: written } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom("#", "#/$defs/a", "string", "array", "object", "(?i)a", "[", ["null"]),
        fc.dictionary(keyword, tie("schema"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(written, (value) => {
        const { schema } = cleanSchema(value);
        compileSchema(schema);
        expect(faultsOf(schema)).toEqual([]);
        expect(cleanSchema(schema).schema).toEqual(schema);
      }),
      { numRuns: 300, examples: [[{ dependencies: { type: [] } }]] },
    );
  });
});

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Keywords that hold values or lists of names, not schemas. */
const VALUES = ["enum", "const", "default", "examples", "dependentRequired"];

/** What providers refuse in a schema, at any depth. */
function faultsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(faultsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (VALUES.includes(key)) return [];
    const isType = key === "type" && typeof value === "string" && !TYPES.includes(value);
    const isFault = value === null || isType || (key === "items" && Array.isArray(value));
    return isFault ? [`${key} ${JSON.stringify(value)}`] : faultsOf(value);
  });
}

/** The arguments with the defaults of a schema. */
function filledIn(schema: JsonSchema): unknown {
  const args = {};
  return compileSchema(schema)(args) ? args : "refused";
}

describe("A default", () => {
  it.each<[what: string, own: object, filled: object]>([
    ["null for a text", { type: "string", default: null }, {}],
    ["no choice", { type: "string", enum: ["a"], default: "b" }, {}],
    ["too short", { type: "string", minLength: 1, default: "" }, {}],
    ["no match", { type: "string", pattern: "^a", default: "b" }, {}],
    ["wrong inside", { type: "array", items: { $ref: "#/$defs/n" }, default: ["x"] }, {}],
    ["right", { type: "array", items: { $ref: "#/$defs/n" }, default: [1] }, { a: [1] }],
    ["a number as text", { type: "integer", default: "5" }, { a: 5 }],
    ["null where null is allowed", { type: ["string", "null"], default: null }, { a: null }],
  ])("is filled in only if its own schema takes it: %s", (_what, own, filled) => {
    const whole = { type: "object", properties: { a: own }, $defs: { n: { type: "integer" } } };
    expect(filledIn(cleanSchema(whole).schema)).toEqual(filled);
  });

  it("is filled in, so its parameter is not demanded", () => {
    const properties = {
      a: { type: "string", default: "x" },
      b: {},
      c: { type: "string", default: 1 },
    };
    const { schema } = cleanSchema({ type: "object", properties, required: ["a", "b"] });
    expect(schema).toMatchObject({ required: ["b"] });
  });

  it("in an alternative is not filled in, so its parameter stays demanded", () => {
    const only = { type: "object", properties: { a: { default: 1 } }, required: ["a"] };
    expect(cleanSchema({ anyOf: [only] }).schema).toEqual({ anyOf: [only] });
  });
});

describe("The parameters of a tool", () => {
  const free = { type: "object", properties: {}, additionalProperties: true };
  const none = { type: "object", properties: {} };
  const a = { type: "string" };

  it.each<[written: unknown, parameters: object]>([
    [null, none],
    [undefined, none],
    [{ type: "object", properties: null }, none],
    [none, none],
    [{}, free],
    [{ type: "object" }, free],
    [
      { type: ["object"], properties: { a } },
      { type: "object", properties: { a } },
    ],
    [
      { type: ["object", "null"], properties: { a } },
      { type: "object", properties: { a } },
    ],
    [
      { type: "OBJECT", properties: { a } },
      { type: "object", properties: { a } },
    ],
    [
      { type: "object", required: ["x"] },
      { ...free, properties: { x: {} }, required: ["x"] },
    ],
    [
      [{ name: "a", type: "str", required: true }],
      { type: "object", properties: { a }, required: ["a"] },
    ],
  ])("%j are an object", (written, parameters) => {
    expect(cleanParameters(written)?.parameters).toEqual(parameters);
  });

  it.each([["text"], [{ type: "string" }], [{ type: ["array", "null"] }]])(
    "%j are none",
    (written) => {
      expect(cleanParameters(written)).toBeUndefined();
    },
  );

  it("have names that providers take, and calls have the tool's own again", () => {
    const inner = { type: "object", properties: { "@type": { type: "string" } } };
    const properties = {
      城市: { type: "string", description: "Where" },
      $top: inner,
      top: {},
      "a.b": {},
    };
    const { parameters, read } = wireParameters({ type: "object", properties, required: ["城市"] });
    const names = Object.keys(Object(parameters["properties"]));
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(new Set(names).size).toBe(4);
    const [city = "", top = ""] = names;
    expect(parameters).toMatchObject({
      required: [city],
      properties: { [city]: { description: "城市: Where" } },
    });
    expect(read({ [city]: "北京", [top]: { type: "x" }, top: 1, "a.b": 2 })).toEqual({
      城市: "北京",
      $top: { "@type": "x" },
      top: 1,
      "a.b": 2,
    });
  });
});

it("A result's schema that is too large, or none, counts as not declared.", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [`field${at}`, { type: "string" }]),
  );
  expect(cleanReturns({ type: "object", properties })).toEqual({
    losses: [expect.stringMatching(/result.*more than/)],
  });
  expect(cleanReturns(null)).toEqual({ losses: [] });
  expect(cleanReturns({ type: "float" })).toEqual({ returns: { type: "number" }, losses: [] });
});

it("Parameters go to a model with the definitions that something refers to, also through others, and with no more", () => {
  const $defs = {
    tree: { type: "object", properties: { leaf: { $ref: "#/$defs/leaf" } } },
    leaf: { type: "string" },
    page: { type: "object", properties: { tree: { $ref: "#/$defs/tree" } } },
  };
  const properties = { root: { $ref: "#/$defs/tree" }, name: { type: "string" } };
  const { parameters } = wireParameters({ type: "object", properties, $defs });
  expect(parameters).toEqual({
    type: "object",
    properties,
    $defs: { tree: $defs.tree, leaf: $defs.leaf },
  });
  expect(wireParameters({ type: "object", $defs }).parameters).toEqual({ type: "object" });
  const anchored = { type: "object", properties: { root: { $ref: "#leaf" } }, $defs };
  expect(wireParameters(anchored).parameters).toEqual(anchored);
});
