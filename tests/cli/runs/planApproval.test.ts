import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../workspace/workspace.js";
import { type Reply, type ScriptedModel, scriptedModel } from "../../fakes/scriptedModel.js";
import { importTestLibrary } from "../../fakes/testLibrary.js";
import {
  LIBRARY_OPTIONS,
  type Printed,
  errorLine,
  run,
  runJson,
  temporaryFolder,
} from "../support.js";

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

/** A plan that doubles a number and writes the result to a file. */
function plan(value: number, answer = "Wrote $$PREV[0]."): Reply {
  const steps = [
    { tool: "double_number", args: { value } },
    { tool: "write_line", args: { file: log, line: "doubled: $$PREV[0]" } },
  ];
  return { text: JSON.stringify({ steps, answer, lacking: [] }) };
}

/** A run whose plan waits for a person. */
async function waitingRun(...replies: Reply[]): Promise<Printed> {
  model = scriptedModel(replies.length > 0 ? replies : [plan(21)]);
  const settings = ["--set", "approval=plan", "--set", "topK=9", "--threshold", "0"];
  const options = [...LIBRARY_OPTIONS, "--model", model.spec, "--graph", "steps_tulip"];
  return await run("solve", "Double it", ...options, ...settings, "--thread", thread);
}

function written(): string | undefined {
  return existsSync(log) ? readFileSync(log, "utf8") : undefined;
}

function planFile(content: unknown): string {
  const file = join(folder, "plan.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("a run with a plan that a person has to approve", () => {
  it("says where the plan stops to look at a result, and what it leaves undone", async () => {
    const reply = {
      text: JSON.stringify({
        steps: [{ tool: "double_number", args: { value: 21 }, look_at_result: true }],
        answer: "",
        lacking: ["paint a fence"],
      }),
    };
    const { stdout } = await waitingRun(reply, reply, {
      searches: [{ subtask: 1, phrase: "colour" }],
    });
    expect(stdout).toContain("0. reads  double_number(value=21), then looks at the result\n");
    expect(stdout).toContain("leaves undone: paint a fence\n");
  });

  it("shows the whole plan and which steps write, says how to decide, and exits with 3", async () => {
    const { code, stdout, stderr } = await waitingRun();
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    const lines = stdout.split("\n");
    const shown = lines.slice(lines.findIndex((line) => line.startsWith("waits for")));
    expect(shown).toEqual([
      "waits for your approval: a plan of 2 calls, 1 of them may write",
      "0. reads  double_number(value=21)",
      `1. writes write_line(file="${log}", line="doubled: $$PREV[0]")`,
      "answer: Wrote $$PREV[0].",
      expect.stringContaining('{ "steps": [{ "tool": "name", "args": ') as string,
      `decide with: tulipgraph resume ${thread} --approve | --reject [REASON] | --edit FILE`,
      "",
    ]);
    expect((await run("threads")).stdout).toMatch(new RegExp(`^${thread} .* waiting`, "m"));
    expect(written()).toBeUndefined();
  });

  it("keeps the budget that it began with, and says so", async () => {
    await waitingRun();
    const line = errorLine(await run("resume", thread, "--approve", "--set", "budget=5"));
    expect(line).toMatch(
      /a run keeps the budget that it began with.*leave it out, or start a new run/i,
    );
    expect(written()).toBeUndefined();
  });

  it("shows long arguments whole, since a person approves them", async () => {
    const line = "words ".repeat(100).trim();
    const steps = [{ tool: "write_line", args: { file: log, line } }];
    const { stdout } = await waitingRun({ text: JSON.stringify({ steps, answer: "" }) });
    expect(stdout).toContain(`0. writes write_line(file="${log}", line="${line}")\n`);
    expect(stdout).toContain("answer: to be put into words once the calls are made\n");
  });

  it("keeps waiting when it is resumed without a decision", async () => {
    await waitingRun();
    const { code, json } = await runJson("resume", thread);
    expect(code).toBe(3);
    expect(json).toMatchObject({ status: "waiting", plan: { left: "" }, calls: [] });
    expect(written()).toBeUndefined();
  });

  it("follows it once it is approved, without another question", async () => {
    await waitingRun();
    const { code, stdout } = await run("resume", thread, "--approve");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^approvePlan {4}approved$/m);
    expect(stdout).toMatch(/^Wrote 42\.$/m);
    expect(written()).toBe("doubled: 42\n");
    expect(model.questions).toHaveLength(1);
  });

  it("ends when it is rejected, and nothing was called", async () => {
    await waitingRun();
    const { code, json } = await runJson("resume", thread, "--reject");
    expect(code).toBe(1);
    expect(json).toMatchObject({ status: "unsolved", calls: [] });
    expect(written()).toBeUndefined();
  });

  it("has it rewritten if it is rejected with a reason, and asks again", async () => {
    await waitingRun(plan(21), plan(4));
    const { code, stdout } = await run("resume", thread, "--reject", "take the number 4");
    expect(code).toBe(3);
    expect(stdout).toMatch(/^approvePlan {4}rejected: take the number 4$/m);
    expect(stdout).toMatch(/^compose {8}0\. double_number\(value=4\)$/m);
    expect(stdout).toContain("0. reads  double_number(value=4)\n");
    expect(model.questions[1]?.input).toMatchObject({ failed: { cue: "take the number 4" } });
    await run("resume", thread, "--approve");
    expect(written()).toBe("doubled: 8\n");
  });

  it("follows the plan in a file instead", async () => {
    await waitingRun();
    const own = {
      steps: [{ tool: "write_line", args: { file: log, line: "mine" } }],
      answer: "As you wish: $$PREV[0]",
    };
    const { code, stdout } = await run("resume", thread, "--edit", planFile(own));
    expect(code).toBe(0);
    expect(stdout).toContain(
      `approvePlan    approved with other steps:\n               0. write_line(file="${log}", line="mine")\n`,
    );
    expect(stdout).toMatch(/^As you wish: written: mine$/m);
    expect(written()).toBe("mine\n");
    expect(model.questions).toHaveLength(1);
  });

  it("says what is wrong with a plan in a file, and waits for a better one", async () => {
    await waitingRun();
    const file = planFile({ steps: [{ tool: "wrte", args: {} }], answer: "" });
    const { code, stdout } = await run("resume", thread, "--edit", file);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^your plan cannot be used: step 0: unknown tool "wrte"/m);
    expect(stdout).toContain("1. writes write_line");
    const better = planFile({ steps: [{ tool: "double_number", args: { value: 1 } }] });
    const { json } = await runJson("resume", thread, "--edit", better);
    expect(json).toMatchObject({ calls: [{ tool: "double_number", result: 2 }] });
    expect(written()).toBeUndefined();
  });

  it("refuses a file that is not JSON, and keeps waiting", async () => {
    await waitingRun();
    const printed = await run("resume", thread, "--edit", planFile("{}x"));
    expect(errorLine(printed)).toMatch(/cannot be read as JSON .*Name a file with the whole plan/);
    expect((await run("resume", thread, "--approve")).code).toBe(0);
    expect(written()).toBe("doubled: 42\n");
  });
});
