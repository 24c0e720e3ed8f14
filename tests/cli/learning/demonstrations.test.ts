import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { copyLibraryHome } from "../libraryHome.js";
import { LIBRARY_OPTIONS, errorLine, run, runJson, temporaryFolder } from "../support.js";

const LINE = { task: "Greet Ada", calls: [{ tool: "greet", args: { person: "Ada" } }] };

let folder: string;
beforeEach(async () => {
  vi.unstubAllEnvs();
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", await copyLibraryHome(folder));
});
afterAll(closeWorkspaces);

/** Writes a file with these lines; texts are written as they are, other values as JSON. */
function fileOf(...lines: (string | object)[]): string {
  const file = join(folder, "demos.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  return file;
}

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

describe("memory import and export", () => {
  it("say how many are new, and which lines are unusable", async () => {
    const other = { ...LINE, calls: [{ tool: "greets", args: {} }] };
    const file = fileOf(LINE, "{", other);
    const imported = await run("memory", "import", file, "--library", "test");
    expect(imported).toMatchObject({ code: 0, stdout: "1 added, 0 known, 2 rejected\n" });
    const [bad, unknown] = imported.stderr.split("\n");
    expect(bad).toMatch(`${file}:2: is not JSON (`);
    expect(unknown).toBe(`${file}:3: library test has no tool "greets"`);
    const out = join(folder, "out.jsonl");
    const exported = await run("memory", "export", "--demos", out);
    expect(exported.stdout).toBe(`1 demonstrations written to ${out}\n`);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ ...LINE, library: "test" });
  });

  it("end with 2 if the file has no usable line", async () => {
    const { code, stdout } = await run("memory", "import", fileOf("{"));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "0 added, 0 known, 1 rejected\n" });
  });

  it("name the libraries with demonstrations when another is wanted", async () => {
    await run("memory", "import", fileOf(LINE), "--library", "test");
    const out = join(folder, "out");
    const printed = await run("memory", "export", "--demos", out, "--library", "tset");
    expect(errorLine(printed)).toMatch(
      /unknown library with demonstrations "tset"; did you mean "test"\?/,
    );
  });
});

describe("memory list --demos", () => {
  it("is what demos alone means", async () => {
    await run("memory", "import", fileOf(LINE), "--library", "test");
    const printed = await run("memory", "list", "--demos");
    expect(printed.stdout).toMatch(/^test +subtask +file +greet +Greet Ada\n$/);
    expect(await run("memory", "--demos")).toEqual(printed);
    const { json } = await runJson("memory", "list", "--demos", "--library", "test");
    expect(json).toMatchObject([{ ...LINE, source: "file" }]);
  });

  it("says when there are none", async () => {
    const printed = await run("memory", "list", "--demos");
    expect(printed).toEqual({ code: 0, stdout: "", stderr: "there are no demonstrations yet\n" });
  });
});

describe("memory import of a thread", () => {
  it("makes demonstrations of the request and its parts of a run that was solved", async () => {
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

  it("takes nothing from a run that was not solved, or made no call", async () => {
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
