import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToolRuntime } from "../../../../tools/calls/runtime.js";
import { definitionHash } from "../../../../tools/library/records/hash.js";
import { readSource } from "../../../../tools/sources/index.js";
import { type SourceReading, nameInSource } from "../../../../tools/tool.js";
import { temporaryFolder } from "../../calls/support.js";
import { fixture, toolOf, withFiles } from "../support.js";

const runtime = createToolRuntime({ home: temporaryFolder(), workers: { size: 1 } });
afterAll(() => runtime.close());

let calls = 0;

const SQUARE = "/** Squares. */\nexport function square(x: number): number { return x * x; }";

async function call(reading: SourceReading, name: string, args: Record<string, unknown>) {
  const definition = toolOf(reading, name);
  const tool = { ...definition, version: 1, hash: definitionHash(definition) };
  const id = `call-${++calls}`;
  const request = { threadId: id, timeoutMs: 60_000, calls: [{ id, tool, args }] };
  const [outcome] = await runtime.runCalls(request);
  return outcome?.error ?? outcome?.result;
}

describe("Functions in exported values", () => {
  let reading: SourceReading;
  beforeAll(async () => {
    reading = await readSource({ file: fixture("members.ts") });
  });

  it("become tools named after the value and the function, each once", () => {
    expect(reading.tools.map((tool) => [tool.id, nameInSource(tool)])).toEqual([
      ["add", "add"],
      ["subtract", "list.subtract"],
      ["increase", "list.increase"],
      ["api.times", "api.times"],
      ["api.issues.list all", "api.issues.list all"],
      ["counter.next", "counter.next"],
      ["half", "default.half"],
    ]);
  });

  it("are read like any function", () => {
    expect(reading.tools.find(({ id }) => id === "api.times")).toMatchObject({
      description: "Multiplies with the factor of the object.",
      parameters: { properties: { a: { type: "number", description: "what is multiplied" } } },
      returns: { type: "number", description: "the product" },
      effects: "read",
    });
  });

  it("are called as members of their object", async () => {
    expect(await call(reading, "api.times", { a: 5 })).toBe(15);
    expect(await call(reading, "list.subtract", { a: 5, b: 3 })).toBe(2);
    expect(await call(reading, "api.issues.list all", { state: "open" })).toEqual(["open"]);
    expect(await call(reading, "counter.next", {})).toBe(2);
    expect(await call(reading, "counter.next", {})).toBe(4);
    expect(await call(reading, "default.half", { value: 7 })).toBe(3.5);
  });

  it("are reported once for each export if they cannot be tools, with the reason; data and types are not", () => {
    expect(reading.problems.map(({ exportName, problem }) => [exportName, problem])).toEqual([
      ["api.undocumented", expect.stringContaining("has no description")],
      ["after", expect.stringContaining("2 signatures")],
      ["countTo", expect.stringContaining("generator")],
      ["Counter", expect.stringContaining("export an instance")],
      ["later", expect.stringContaining("generator")],
      [
        "cache",
        expect.stringContaining(
          "InMemoryCache<Generation[]>, whose functions are those of a package",
        ),
      ],
      ["functions", expect.stringContaining("does not show the names of the functions")],
      ["unknown", expect.stringContaining("not known")],
      ["anything", expect.stringContaining("not known")],
    ]);
  });
});

describe("Other ways to export functions", () => {
  it.each([
    [
      "a namespace",
      { "tools.ts": `export * as math from "./math.js";`, "math.ts": SQUARE },
      "math.square",
    ],
    [
      "an object with a name by default",
      {
        "tools.ts": `import { square } from "./math.js";\nconst sums = { square };\nexport default sums;`,
        "math.ts": SQUARE,
      },
      "sums.square",
    ],
    [
      "an object of CommonJS",
      {
        "tools.cjs": `module.exports = { sums: {\n  /** Squares.\n   * @param {number} x */\n  square(x) { return x * x; } } };`,
      },
      "sums.square",
    ],
  ])("such as %s are read and called", async (_what, files, id) => {
    await withFiles(files as Record<string, string>, async (folder) => {
      const [name = ""] = Object.keys(files);
      const reading = await readSource({ file: `${folder}/${name}` });
      expect(reading.tools.map((tool) => tool.id)).toEqual([id]);
      const [tool] = reading.tools;
      expect(await call(reading, tool === undefined ? "" : nameInSource(tool), { x: 3 })).toBe(9);
    });
  });
});

/** Lets a file import LangChain's tools. */
const LANGCHAIN_STUB = {
  "node_modules/langchain/package.json": `{ "name": "langchain", "type": "module", "exports": { "./tools": "./tools.js" } }`,
  "node_modules/langchain/tools.js": `export {};`,
};

/** A file with an array of tools of these names, in this order. */
const looks = (names: string): string => `const look = (name) => ({ invoke: () => name, name,
        description: "Looks.", schema: { type: "object", properties: {} } });
      const [a, b] = [look("a"), look("b")];
      import "langchain/tools";
      export const tools = [${names}];`;

/** The ids of the tools in such a file, with the hash of each version. */
async function hashesOf(names: string): Promise<Record<string, string>> {
  return await withFiles({ "tools.mjs": looks(names), ...LANGCHAIN_STUB }, async (folder) => {
    const { tools } = await readSource({ file: `${folder}/tools.mjs` });
    return Object.fromEntries(tools.map((tool) => [tool.id, definitionHash(tool)]));
  });
}

describe("LangChain's tools", () => {
  let reading: SourceReading;
  beforeAll(async () => {
    reading = await readSource({ file: fixture("langChainMembers.ts") });
  });

  it("may be in arrays and objects, beside functions, each once", () => {
    const { tools, problems } = reading;
    expect(tools.map((tool) => [tool.id, tool.source.kind, nameInSource(tool)])).toEqual([
      ["kit.plain", "function", "kit.plain"],
      ["plus_one", "langchain", "adapted.plus_one"],
      ["times_two", "langchain", "adapted.times_two"],
      ["single", "langchain", "kit.single"],
      ["times_three", "langchain", "promised.times_three"],
    ]);
    expect(problems).toEqual([]);
  });

  it("are called as LangChain calls them", async () => {
    expect(await call(reading, "adapted.times_two", { x: 4 })).toBe(8);
    expect(await call(reading, "promised.times_three", { x: 4 })).toBe(12);
    expect(await call(reading, "kit.single", { x: -1 })).toBe("Error: too early");
  });

  it("do not hide other members of their object that cannot be tools", async () => {
    const text = `import "langchain/tools";
      export const tools = {
        look: { invoke: () => 1, name: "look", description: "Looks.", schema: { type: "object" } },
        /** Counts. */
        *count() { yield 1; },
      };`;
    await withFiles({ "tools.mjs": text, ...LANGCHAIN_STUB }, async (folder) => {
      const { tools, problems } = await readSource({ file: `${folder}/tools.mjs` });
      expect(tools.map(({ id }) => id)).toEqual(["look"]);
      expect(problems).toMatchObject([{ exportName: "tools" }]);
      expect(problems[0]?.problem).toContain("generator");
    });
  });

  it("keep their version when an array is reordered", async () => {
    const hashes = await hashesOf("a, b");
    expect(Object.keys(hashes).toSorted()).toEqual(["a", "b"]);
    expect(await hashesOf("b, a")).toEqual(hashes);
  });
});
