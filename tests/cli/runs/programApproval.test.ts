import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { type ScriptedModel, scriptedModel } from "../../fakes/scriptedModel.js";
import { importTestLibrary } from "../../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, type Printed, run, runJson, temporaryFolder } from "../support.js";

let folder: string;
let log: string;
let thread: string;
let model: ScriptedModel;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder, "log.txt");
  thread = crypto.randomUUID();
});

/** A program that doubles numbers and writes the results to a file. */
function code(values: number[]): string {
  return [
    `const results = await Promise.all(${JSON.stringify(values)}.map((value) => double_number({ value })));`,
    "for (const doubled of results) {",
    `  await write_line({ file: "${log}", line: \`doubled: \${doubled}\` });`,
    "}",
    "return `Doubled them.`;",
  ].join("\n");
}

/** A run whose writes wait for a person. */
async function waitingRun(...replies: string[]): Promise<Printed> {
  return await solveWith({ replies, approval: "plan" });
}

async function solveWith({
  replies = [],
  approval,
}: {
  replies?: string[];
  approval: string;
}): Promise<Printed> {
  const texts = replies.length > 0 ? replies : [code([21, 4])];
  model = scriptedModel(texts.map((text) => ({ text: `\`\`\`ts\n${text}\n\`\`\`` })));
  const settings = ["--set", `approval=${approval}`, "--set", "topK=9", "--set", "threshold=0"];
  const options = [...LIBRARY_OPTIONS, "--model", model.spec, "--graph", "tulip"];
  return await run("solve", "Double 21 and 4", ...options, ...settings, "--thread", thread);
}

function written(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

function fileWith(content: string): string {
  const file = join(folder, "edit.txt");
  writeFileSync(file, content);
  return file;
}

function writeLines(): string[] {
  return [
    `0. writes write_line(file="${log}", line="doubled: 42")`,
    `1. writes write_line(file="${log}", line="doubled: 8")`,
  ];
}

describe("a run with a program whose writes a person has to approve", () => {
  it("shows the program and each write with its values, says how to decide, and exits with 3", async () => {
    const { code: exit, stdout, stderr } = await waitingRun();
    expect({ exit, stderr }).toEqual({ exit: 3, stderr: "" });
    const lines = stdout.split("\n");
    const from = lines.findIndex((line) => line.startsWith("Program"));
    expect(lines.slice(from)).toEqual([
      "Program",
      ...code([21, 4]).split("\n"),
      "Waiting for approval: 2 writes (no more will follow)",
      ...writeLines(),
      "In total: 4 calls (double_number 2, write_line 2)",
      expect.stringContaining("or another program"),
      `To decide: tulipgraph resume ${thread} --approve | --reject [REASON] | --edit FILE`,
      "",
    ]);
    expect(written()).toEqual([]);
  });

  it("says that a new request on its thread gives up what waits", async () => {
    await waitingRun();
    const { stderr } = await run(
      "solve",
      "Double the number 21",
      ...LIBRARY_OPTIONS,
      "--thread",
      thread,
    );
    expect(stderr).toContain(
      `note: ${thread} was waiting for a decision (“Double 21 and 4”), which is given up`,
    );
    expect(written()).toEqual([]);
  });

  it("makes those that a file lists, with the values that it gives", async () => {
    await waitingRun();
    const file = fileWith(JSON.stringify([null, { file: log, line: "mine" }]));
    const { code: exit, stdout } = await run("resume", thread, "--edit", file);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^approveWrites {2}approved except for 1$/m);
    expect(written()).toEqual(["mine"]);
  });

  it("shows the writes of the program in a file, and says what is wrong with one that cannot be used", async () => {
    await waitingRun();
    const bad = await run("resume", thread, "--edit", fileWith("while (true) {}"));
    expect(bad.code).toBe(3);
    expect(bad.stdout).toMatch(/^Your answer cannot be used: line 1: /m);
    const good = await run("resume", thread, "--edit", fileWith(code([1])));
    expect(good.code).toBe(3);
    expect(good.stdout).toContain(`0. writes write_line(file="${log}", line="doubled: 2")`);
    await run("resume", thread, "--approve");
    expect(written()).toEqual(["doubled: 2"]);
  });

  it("has it rewritten if it is rejected with a reason, and ends without one", async () => {
    await waitingRun(code([21, 4]), code([4]));
    const { stdout } = await run("resume", thread, "--reject", "take the number 4");
    expect(stdout).toMatch(/^approveWrites {2}rejected: take the number 4$/m);
    expect(stdout).toContain(`0. writes write_line(file="${log}", line="doubled: 8")`);
    const { code: exit, json } = await runJson("resume", thread, "--reject");
    expect(exit).toBe(1);
    expect(json).toMatchObject({ status: "unsolved" });
    expect(written()).toEqual([]);
  });
});

async function label(flow: string): Promise<void> {
  await run("tools", "label", "double_number", "--flow", flow, ...LIBRARY_OPTIONS.slice(0, 2));
}

describe("a run whose program would write text from outside", () => {
  it("waits for a person and says why, write by write, although nothing else requires approval", async () => {
    await label("foreign");
    const { code: exit, stdout } = await solveWith({ approval: "declared" });
    await label("source");
    expect(exit).toBe(3);
    const reason = /· `line` holds text from outside \(double_number\)/g;
    expect(stdout.match(reason)).toHaveLength(2);
    expect(written()).toEqual([]);
  });
});
