import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { copyLibraryHome } from "../libraryHome.js";
import { LIBRARY_OPTIONS, errorLine, run, runJson, temporaryFolder } from "../support.js";

const LINE = { query: "Double 21", tool: "double", args: { x: 21 }, result: "42", helpful: true };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

/** Writes a file with these lines; texts are written as they are, other values as JSON. */
function fileOf(...lines: (string | object)[]): string {
  const file = join(folder, "calls.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  return file;
}

describe("memory import", () => {
  it("knows the tools of a library that exists", async () => {
    const source = join(folder, "doubling.ts");
    writeFileSync(
      source,
      "/** Double a number.\n * @param x - the number\n * @effects read */\nexport const double = (x: number): number => 2 * x;\n",
    );
    await run("tools", "import", source);
    const file = fileOf({ ...LINE, tool: "treble" }, LINE, { ...LINE, cost: -1 });
    const { code, json, stderr } = await runJson("memory", "import", file, "--library", "doubling");
    expect(stderr).toBe(
      `${file}:1: library doubling has no tool "treble"\n${file}:3: "cost": -1 is less than 0\n`,
    );
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { added: 1, rejected: 2 },
    });
  });

  it("ends with 2 if the file has no usable line, or does not exist", async () => {
    const file = fileOf("{", LINE);
    const { code, stdout, stderr } = await run("memory", "import", file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "0 added, 0 known, 2 rejected\n" });
    expect(stderr).toContain(`${file}:2: has no "library"`);
    expect(errorLine(await run("memory", "import", fileOf()))).toContain("has no lines");
    expect(errorLine(await run("memory", "import", join(folder, "none")))).toMatch(
      /unknown file or thread ".*none"/,
    );
  });
});

describe("memory export", () => {
  it("writes what can be imported elsewhere", async () => {
    await run("memory", "import", fileOf(LINE), "--library", "doubling");
    const out = join(folder, "out.jsonl");
    const exported = await run("memory", "export", out);
    expect(exported).toEqual({ code: 0, stdout: `1 calls written to ${out}\n`, stderr: "" });
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ ...LINE, library: "doubling" });
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "elsewhere"));
    expect((await run("memory", "import", out)).stdout).toBe("1 added, 0 known, 0 rejected\n");
  });
});

describe("memory list", () => {
  it("is what memory alone means, and counts by library", async () => {
    await run(
      "memory",
      "import",
      fileOf(LINE, { ...LINE, helpful: null }),
      "--library",
      "doubling",
    );
    const printed = await run("memory");
    expect(printed).toEqual(await run("memory", "list"));
    expect(printed.stdout).toMatch(/^library +doubling\ncalls +2\nrequests +1\ntools +1\n/);
    const { json } = await runJson("memory", "--library", "doubling");
    expect(json).toEqual([
      {
        library: "doubling",
        usages: 2,
        queries: 1,
        tools: 1,
        helpful: 1,
        unhelpful: 0,
        unjudged: 1,
      },
    ]);
  });
});

const DEMO = { task: "Greet Ada", calls: [{ tool: "greet", args: { person: "Ada" } }] };

/** Makes a run with a model that gives these replies, and returns its thread. */
async function solve(...replies: Reply[]): Promise<string> {
  const model = scriptedModel([
    { subtasks: ["Double the number 21"] },
    { searches: [{ subtask: 1, phrase: "double a number" }] },
    ...replies,
  ]);
  const { json } = await runJson(
    "solve",
    "What is twice 21?",
    "--graph",
    "cot_tulip",
    "--model",
    model.spec,
    ...LIBRARY_OPTIONS,
  );
  return (json as { threadId: string }).threadId;
}

const CALL: Reply = { calls: [{ name: "double_number", args: { value: 21 } }] };

describe("demonstrations", () => {
  beforeEach(async () => {
    vi.unstubAllEnvs();
    vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(temporaryFolder()));
  });

  it("are imported and exported: it says how many are new, and which lines are unusable", async () => {
    const other = { ...DEMO, calls: [{ tool: "greets", args: {} }] };
    const file = fileOf(DEMO, "{", other);
    const imported = await run("memory", "import", file, "--library", "test");
    expect(imported).toMatchObject({ code: 0, stdout: "1 added, 0 known, 2 rejected\n" });
    const [bad, unknown] = imported.stderr.split("\n");
    expect(bad).toMatch(`${file}:2: is not JSON (`);
    expect(unknown).toBe(`${file}:3: library test has no tool "greets"`);
    const out = join(folder, "out.jsonl");
    const exported = await run("memory", "export", "--demos", out);
    expect(exported.stdout).toBe(`1 demonstrations written to ${out}\n`);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ ...DEMO, library: "test" });
  });

  it("are listed: that is what --demos alone means", async () => {
    await run("memory", "import", fileOf(DEMO), "--library", "test");
    const printed = await run("memory", "list", "--demos");
    expect(printed.stdout).toMatch(/^test +subtask +file +greet +Greet Ada\n$/);
    expect(await run("memory", "--demos")).toEqual(printed);
    const { json } = await runJson("memory", "list", "--demos", "--library", "test");
    expect(json).toMatchObject([{ ...DEMO, source: "file" }]);
  });

  it("are made of the request and its parts of a run that was solved", async () => {
    const thread = await solve(CALL, { stop: "It is 42." });
    const added = await run("memory", "import", thread);
    expect(added).toEqual({ code: 0, stdout: "3 added, 0 known\n", stderr: "" });
    const calls = [{ tool: "double_number", args: { value: 21 }, result: 42 }];
    const { json } = await runJson("memory", "list", "--demos");
    expect(json).toMatchObject([
      { task: "What is twice 21?", calls, answer: "It is 42.", level: "subtask", source: "run" },
      { task: "Double the number 21", calls, level: "subtask", source: "run" },
      { task: "Double the number 21", calls, level: "tool", source: "run" },
    ]);
    const again = await runJson("memory", "import", thread);
    expect(again.json).toEqual({ thread, added: 0, known: 3 });
  });

  it("are not made of a run that was not solved, or made no call", async () => {
    const unsolved = await solve(CALL, { stop: "No.", solved: false });
    expect(errorLine(await run("memory", "import", unsolved))).toMatch(
      /its last run has not solved its request \(unsolved\)/,
    );
    const idle = await solve({ stop: "Nothing is to be done." });
    expect(errorLine(await run("memory", "import", idle))).toMatch(
      /has not solved its request \(unsolved\)/,
    );
    expect(errorLine(await run("memory", "import", "none"))).toMatch(
      /unknown file or thread "none"/,
    );
  });
});

describe("memory label", () => {
  it("lets a model judge stored calls without a verdict, and leaves the others", async () => {
    vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(temporaryFolder()));
    const call = {
      query: "Double 4",
      tool: "double_number",
      args: { value: 4 },
      result: "8",
      helpful: null,
    };
    const others = [
      { ...call, args: { value: 5 } },
      { ...call, args: { value: 6 }, helpful: false },
    ];
    await run("memory", "import", fileOf(call, ...others), "--library", "test");
    const model = scriptedModel(({ messages }) => {
      const helpful = messages.at(-1)?.text.includes('"value":4') === true;
      return { text: JSON.stringify({ reason: "So.", helpful }) };
    });
    const argv = ["memory", "label", "--library", "test", "--model", model.spec];
    const labelled = await run(...argv);
    expect(labelled.stdout).toBe("library test: 2 calls judged, 1 helpful\n");
    expect(model.questions).toHaveLength(2);
    const { json } = await runJson("memory", "list", "--library", "test");
    expect(json).toMatchObject([{ usages: 3, helpful: 1, unhelpful: 2, unjudged: 0 }]);
    expect((await run(...argv)).stdout).toContain("0 calls judged");
  });
});
