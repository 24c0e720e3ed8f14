import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSource } from "../../../../tools/sources/index.js";
import { validateArguments } from "../../../../tools/calls/engine/validateArguments.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { withFiles } from "../support.js";

/** Reads lines, given as data or as text, from a temporary file. */
async function read(...lines: unknown[]) {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return await withFiles({ "tools.jsonl": texts.join("\n") }, (folder) =>
    readSource({ file: join(folder, "tools.jsonl") }),
  );
}

/** The tool of one line that declares these parameters. */
async function declared(parameters: unknown, more: object = {}): Promise<ToolDefinition> {
  const { tools, problems } = await read({
    id: "t",
    name: "t",
    description: "d",
    parameters,
    ...more,
  });
  expect(problems).toEqual([]);
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool");
  return tool;
}

/** The schema that one parameter gets. */
async function parameter(written: unknown) {
  return (await declared({ type: "object", properties: { p: written } })).parameters.properties[
    "p"
  ];
}

describe("A declaration", () => {
  it.each([
    [{ cost: -1 }, 'has "cost" -1; it must be a number of budget units, 0 or more'],
    [{ timeoutMs: 0 }, 'has "timeoutMs" 0; it must be a number of milliseconds above 0'],
    [{ effects: "delete" }, 'has "effects" "delete"; it must be "read" or "write"'],
    [{ world: " " }, 'has "world" " "; it must be the name of a world, a text that is not empty'],
  ])("with a value that a field cannot have is a problem: %j", async (field, problem) => {
    const { tools, problems } = await read({ name: "t", ...field }, { name: "u", cost: 0 });
    expect(tools).toMatchObject([{ id: "u", cost: 0 }]);
    expect(problems).toMatchObject([{ line: 1, problem }]);
  });

  it("is a tool with its own texts but no function.", async () => {
    await withFiles(
      {
        "tools.jsonl": `{"id":"a b/GET /{x}","name":"GET /{x}","description":" As it is. ","provider":"p","category":"c","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},"returns":{"type":"float"}}`,
      },
      async (folder) => {
        const file = join(folder, "tools.jsonl");
        expect(await readSource({ file })).toEqual({
          tools: [
            {
              id: "a b/GET /{x}",
              name: "GET /{x}",
              description: " As it is. ",
              provider: "p",
              category: "c",
              parameters: {
                type: "object",
                properties: { x: { type: "string" } },
                required: ["x"],
              },
              returns: { type: "number" },
              source: { kind: "declared", file },
              effects: "read",
            },
          ],
          problems: [],
          files: [file],
        });
      },
    );
  });

  it("uses its name as id, and may lack a description and parameters.", async () => {
    const { tools } = await read({ name: "plain" });
    expect(tools).toMatchObject([
      { id: "plain", description: "", parameters: { type: "object", properties: {} } },
    ]);
    expect(tools[0]).not.toHaveProperty("returns");
  });

  it("may contain every character that JSON allows, including Unicode line separators.", async () => {
    const text = "one\u2028two\u2029three";
    const { tools, problems } = await read(`\uFEFF{"name":"a","description":"${text}"}\r`, "", {
      name: "b",
    });
    expect(problems).toEqual([]);
    expect(tools.map(({ description }) => description)).toEqual([text, ""]);
  });

  it("may share its name with others, but not its id.", async () => {
    const { tools, problems } = await read(
      { id: "x/search", name: "search" },
      { id: "y/search", name: "search" },
      { id: "x/search", name: "find" },
    );
    expect(tools.map(({ id }) => id)).toEqual(["x/search", "y/search"]);
    expect(problems).toMatchObject([
      { line: 3, exportName: "x/search", problem: expect.stringContaining("that of line 1") },
    ]);
  });

  it.each([
    ["no JSON", '{"name": "a"', "is not JSON"],
    ["no object", "[1]", "is not a JSON object"],
    ["without a name", { id: "a" }, 'has no "name"'],
    ["with an id that is not a text", { id: 3, name: "a" }, 'has no "id"'],
    ["with a list for parameters", { name: "a", parameters: [7] }, "are not an object schema"],
  ])("that is %s is a problem at its line, and the others are read.", async (_what, line, said) => {
    const { tools, problems } = await read({ name: "first" }, line, { name: "last" });
    expect(tools.map(({ name }) => name)).toEqual(["first", "last"]);
    expect(problems).toMatchObject([{ line: 2, problem: expect.stringContaining(said) }]);
    expect(problems[0]?.problem).not.toContain("\n");
  });
});

describe("A loosely written type", () => {
  const CASES: [written: unknown, schema: object][] = [
    ["float", { type: "number" }],
    [
      { type: "str", description: "who" },
      { type: "string", description: "who" },
    ],
    [{ type: "Boolean" }, { type: "boolean" }],
    [{ type: "any", description: "x" }, { description: "x" }],
    [{ type: "np.ndarray" }, {}],
    [
      { type: "List[List[int]]" },
      { type: "array", items: { type: "array", items: { type: "integer" } } },
    ],
    [{ type: "Tuple[int, str]" }, { type: "array", items: { type: ["integer", "string"] } }],
    [
      { type: "Dict[str, List[int]]" },
      { type: "object", additionalProperties: { type: "array", items: { type: "integer" } } },
    ],
    [
      { type: "HashMap<String, Integer>" },
      { type: "object", additionalProperties: { type: "integer" } },
    ],
    [{ type: "Optional[str]" }, { type: ["string", "null"] }],
    [{ type: "int or str" }, { type: ["integer", "string"] }],
    [{ type: "str | None" }, { type: ["string", "null"] }],
    [
      { type: "Union[str, List[str]]" },
      { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    ],
    [null, {}],
    [false, { not: {} }],
  ];

  it.each(CASES)("%j becomes JSON Schema.", async (written, schema) => {
    expect(await parameter(written)).toEqual(schema);
  });

  it("turns a map of names into an object, even if a name is a keyword.", async () => {
    const returns = { type: { type: "str", description: "kind" }, count: "int" };
    const tool = await declared(
      { city: { type: "str", required: true }, days: "int" },
      { returns },
    );
    expect(tool.parameters).toEqual({
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    });
    expect(tool.returns).toEqual({
      type: "object",
      properties: { type: { type: "string", description: "kind" }, count: { type: "integer" } },
    });
  });

  it("loses keywords that JSON Schema does not have or whose values are of another kind.", async () => {
    const written = {
      type: "string",
      in: "path",
      unit: "m",
      optional: true,
      required: false,
      minLength: "one",
      maxLength: "9",
      title: "T",
    };
    expect(await parameter(written)).toEqual({ type: "string", title: "T", maxLength: 9 });
  });

  it.each([
    [
      { type: "int", default: "5" },
      { type: "integer", default: 5 },
    ],
    [
      { type: "bool", default: "False" },
      { type: "boolean", default: false },
    ],
    [{ type: "int", default: "" }, { type: "integer" }],
    [{ type: "string", default: null }, { type: "string" }],
    [
      { type: "string", default: "x", enum: ["y"] },
      { type: "string", enum: ["y"] },
    ],
    [
      { type: "int", enum: ["1", "2"] },
      { type: "integer", enum: [1, 2] },
    ],
    [{ type: "int", enum: ["low"] }, { enum: ["low"] }],
  ])("keeps no value that the schema itself would refuse: %j.", async (written, schema) => {
    expect(await parameter(written)).toEqual(schema);
  });

  it("keeps references, and no longer names the draft in which it was written.", async () => {
    const parameters = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { tree: { $ref: "#/definitions/tree" } },
      definitions: { tree: { type: "dict", properties: { next: { $ref: "#/definitions/tree" } } } },
    };
    const { $schema: _draft, ...others } = parameters;
    expect((await declared(parameters)).parameters).toEqual({
      ...others,
      definitions: {
        tree: { type: "object", properties: { next: { $ref: "#/definitions/tree" } } },
      },
    });
  });

  it("always becomes a schema that calls can be checked against.", async () => {
    const words = fc.constantFrom(
      "str",
      "List[int]",
      "Dict[str, Any]",
      "int or float",
      "]]",
      "Union[",
      "",
      "any",
    );
    const written = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: "small" },
        words,
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            type: fc.oneof(words, fc.array(words, { maxLength: 2 }), fc.integer()),
            properties: fc.dictionary(
              fc.constantFrom("a", "type", "items", "__proto__"),
              tie("schema"),
              { maxKeys: 3 },
            ),
            items: tie("schema"),
            required: fc.oneof(fc.boolean(), fc.constant(["a"]), fc.constant("a")),
            anyOf: fc.array(tie("schema"), { maxLength: 2 }),
            enum: fc.array(fc.jsonValue({ maxDepth: 0 }), { maxLength: 2 }),
            default: fc.jsonValue({ maxDepth: 1 }),
            minimum: fc.oneof(fc.integer(), fc.string()),
            exclusiveMinimum: fc.boolean(),
            format: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(written, async (schema) => {
        const tool = await declared({ type: "object", properties: { p: schema } });
        const record = { ...tool, hash: `declared ${count++}` };
        const check = validateArguments({ record, args: {} });
        expect(check.ok ? "" : check.problem).not.toContain("cannot be used");
      }),
      { numRuns: 200 },
    );
  });
});
