import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBenchmarkFolder } from "../../../eval/benchmarks/benchmarkFolder.js";
import { type Lines, folderOf } from "./support.js";

const TOOLS = [
  { id: "x/add", name: "add", description: "Adds.", parameters: { a: { type: "float" } } },
  { id: "y/add", name: "add", description: "Adds, too." },
];

const TASK = { id: "1", query: "Add 1.", tools: ["x/add"] };

async function read(queries: Lines, files: Record<string, Lines | string> = {}) {
  return await readBenchmarkFolder(
    folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": queries, ...files }),
  );
}

/** The task that one row becomes. */
async function task(row: object) {
  return (await read([{ ...TASK, ...row }])).tasks[0];
}

function row(id: string, tools: string[]) {
  return { id, query: "q", tools };
}

/** The error for a folder with these files, without its path. */
async function refusal(files: Record<string, Lines | string>): Promise<string> {
  const folder = folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": [TASK], ...files });
  const refused: unknown = await readBenchmarkFolder(folder).catch((error: unknown) => error);
  if (!(refused instanceof Error)) throw new Error("it was not refused");
  expect(refused.name).toBe("BenchmarkFailed");
  expect(refused.message).not.toContain("\n");
  return refused.message.replaceAll(`${folder}/`, "");
}

describe("a benchmark folder", () => {
  it("gives its tools, with parameters as JSON Schema, and its tasks", async () => {
    const folder = folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": [TASK] });
    const benchmark = await readBenchmarkFolder(folder);
    expect(benchmark).toMatchObject({
      source: folder,
      toolsFile: join(folder, "tools.jsonl"),
      argumentRule: "equal",
      tasks: [{ id: "1", query: "Add 1.", tools: ["x/add"], level: "all" }],
    });
    expect(benchmark.name).toMatch(/^tulipgraph-benchmark-/);
    expect(benchmark.tools[0]?.parameters.properties).toEqual({ a: { type: "number" } });
    for (const absent of ["world", "catalog", "background"]) {
      expect(benchmark).not.toHaveProperty(absent);
    }
  });

  it("has a hash that changes with every byte of its files", async () => {
    const { hash } = await read([TASK]);
    expect((await read([TASK])).hash).toBe(hash);
    expect((await read([TASK, ""])).hash).not.toBe(hash);
    expect((await read([TASK], { "tools.jsonl": TOOLS.toReversed() })).hash).not.toBe(hash);
  });
});

describe("a task", () => {
  it("keeps its level and split, as texts", async () => {
    expect(await task({ split: "dev" })).toMatchObject({ level: "dev", split: "dev" });
    expect(await task({ level: 2, split: "dev" })).toMatchObject({ level: "2", split: "dev" });
  });

  it.each([
    [5, [5]],
    ["five", ["five"]],
    [
      [5, "five"],
      [5, "five"],
    ],
  ])("may have one answer or a list: %j", async (answer, answers) => {
    expect((await task({ answer }))?.answers).toEqual(answers);
  });

  it("uses its tools as often as they are called", async () => {
    const calls = ["x/add", "y/add", "x/add"].map((tool) => ({ tool, args: {} }));
    const called = await task({ tools: ["y/add", "x/add"], calls });
    expect(called?.tools).toEqual(["x/add", "y/add", "x/add"]);
    expect(called?.calls).toEqual(calls);
    expect((await task({ tools: ["x/add"], path: ["x/add", "x/add"] }))?.tools).toEqual([
      "x/add",
      "x/add",
    ]);
    // A tool that is missing in the calls is used anyway.
    expect((await task({ tools: ["x/add", "y/add"], calls: calls.slice(0, 1) }))?.tools).toEqual([
      "x/add",
      "y/add",
    ]);
  });

  it("has no calls where one of their arguments is a text with gaps, or where there is only a path", async () => {
    const broken = { tool: "x/add", args: '{"a": ${somewhere}}' };
    const uncalled = await task({ calls: [{ tool: "x/add", args: {} }, broken] });
    expect(uncalled).not.toHaveProperty("calls");
    expect(uncalled?.tools).toEqual(["x/add", "x/add"]);
    expect(await task({ path: ["x/add"] })).not.toHaveProperty("calls");
  });

  it("has the calls of all its turns, unless one of them is not answered or asks for nothing", async () => {
    const turn = { user: "Add.", calls: [{ tool: "x/add", args: { a: 1 } }] };
    expect((await task({ turns: [turn, turn] }))?.calls).toEqual([...turn.calls, ...turn.calls]);
    expect(await task({ turns: [turn, { ...turn, calls: [] }] })).not.toHaveProperty("calls");
    expect(await task({ turns: [turn, { ...turn, user: "" }] })).not.toHaveProperty("calls");
  });

  it("may have null for what it leaves out", async () => {
    expect(await task({ answer: null, calls: null, level: null })).toEqual({
      ...TASK,
      level: "all",
    });
  });

  it("may name no tool, where none fits", async () => {
    expect(await task({ tools: [], calls: [], candidates: ["y/add"] })).toMatchObject({
      tools: [],
      calls: [],
      candidates: ["y/add"],
    });
  });

  it("has lists of acceptable values when every argument of the benchmark is a list", async () => {
    const lists = { ...TASK, calls: [{ tool: "x/add", args: { a: [1, ""] } }] };
    const values = { ...TASK, id: "2", calls: [{ tool: "x/add", args: { a: 1 } }] };
    expect((await read([lists])).argumentRule).toBe("any-of");
    expect((await read([lists, values])).argumentRule).toBe("equal");
  });
});

describe("a benchmark folder is refused", () => {
  it.each<[why: string, files: Record<string, Lines | string>, said: RegExp]>([
    [
      "a line of tools is broken",
      { "tools.jsonl": [...TOOLS, "{"] },
      /: tools\.jsonl:3: is not JSON/,
    ],
    ["a task is broken", { "queries.jsonl": [TASK, '{"id":'] }, /: queries\.jsonl:2: is not JSON/],
    [
      "a task is not an object",
      { "queries.jsonl": ["", "7"] },
      /: queries\.jsonl:2: is not a JSON object/,
    ],
    ["a tool has no name", { "tools.jsonl": [{ id: "a" }] }, /: tools\.jsonl:1: has no "name"/],
    ["a task has no id", { "queries.jsonl": [{ query: "q", tools: [] }] }, /:1: has no "id"/],
    ["a task has no request", { "queries.jsonl": [{ id: "1", tools: [] }] }, /:1: has no "query"/],
    ["a request is blank", { "queries.jsonl": [{ ...TASK, query: " " }] }, /:1: "query": is empty/],
    ["a task has no tools", { "queries.jsonl": [{ id: "1", query: "q" }] }, /:1: has no "tools"/],
    [
      "a field is of another kind",
      { "queries.jsonl": [{ ...TASK, tools: ["x/add", ["x/flight"]] }] },
      /:1: "tools": \["x\/flight"\] is not text$/,
    ],
    [
      "a field is of none of its kinds",
      { "queries.jsonl": [{ ...TASK, tools: 5 }] },
      /:1: "tools": 5 is not text or a list$/,
    ],
    [
      "an entry of a field is blank",
      { "queries.jsonl": [{ ...TASK, answer: [7, ""] }] },
      /:1: "answer\.1": is empty$/,
    ],
    [
      "a key comes twice",
      { "queries.jsonl": ['{"id":"1","query":"a","query":"b","tools":[]}'] },
      /queries\.jsonl:1: has "query" twice; leave one of them out$/,
    ],
    [
      "a key of a call comes twice",
      {
        "queries.jsonl": [
          '{"id":"1","query":"q","tools":[],"calls":[{"tool":"a","args":{"x":"{","x":2}},{"tool":"b"}]}',
        ],
      },
      /queries\.jsonl:1: has "x" twice/,
    ],
    [
      "a tool comes twice",
      { "tools.jsonl": [...TOOLS, TOOLS[0]] },
      /tools\.jsonl:3: the id "x\/add" is that of line 1 already/,
    ],
    [
      "a task comes twice",
      { "queries.jsonl": [TASK, "", TASK] },
      /queries\.jsonl:3: the id "1" is that of line 1 already/,
    ],
    [
      "a tool is unknown",
      { "queries.jsonl": [{ ...TASK, tools: ["add"] }] },
      /queries\.jsonl:1: the tool "add" is not in tools\.jsonl$/,
    ],
    [
      "a gold call is of an unknown tool",
      { "queries.jsonl": [{ ...TASK, calls: [{ tool: "add", args: {} }] }] },
      /:1: the tool "add"/,
    ],
    [
      "a candidate is unknown",
      { "queries.jsonl": [{ ...TASK, candidates: ["add"] }] },
      /:1: the tool "add"/,
    ],
    [
      "there are no tools",
      { "tools.jsonl": "" },
      /: tools\.jsonl:1: has no tools\. A benchmark is/,
    ],
    [
      "there are no tasks",
      { "queries.jsonl": "\n" },
      /: queries\.jsonl:1: has no tasks\. A benchmark is a folder with/,
    ],
  ])("when %s", async (_why, files, said) => {
    expect(await refusal(files)).toMatch(said);
  });

  it("with the first problem and how many more there are", async () => {
    const queries = ["{", TASK, { ...TASK, id: "2", query: "" }, { ...TASK }];
    expect(await refusal({ "queries.jsonl": queries })).toMatch(
      /queries\.jsonl:1: is not JSON.*\. There are 2 more problems$/,
    );
  });

  it("with the number of lines that name an unknown tool", async () => {
    const queries = [row("1", ["x/add"]), row("2", ["z", "z"]), row("3", ["z"]), row("4", ["w"])];
    expect(await refusal({ "queries.jsonl": queries })).toMatch(
      /queries\.jsonl:2: the tool "z" is not in tools\.jsonl; 2 lines name it\. There is 1 more problem$/,
    );
  });

  it("when it or one of its files is missing, with what it has to hold", async () => {
    await expect(readBenchmarkFolder("/nowhere/set")).rejects.toThrow(
      /^benchmark set: the folder \/nowhere\/set does not exist\. A benchmark is a folder with tools\.jsonl/,
    );
    const folder = folderOf({ "tools.jsonl": TOOLS });
    await expect(readBenchmarkFolder(folder)).rejects.toThrow(
      `there is no file ${join(folder, "queries.jsonl")}`,
    );
    await expect(readBenchmarkFolder(join(folder, "tools.jsonl"))).rejects.toThrow(
      "is not a folder",
    );
  });
});
