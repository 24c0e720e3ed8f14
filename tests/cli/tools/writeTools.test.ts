import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { DIGIT_SUM, IMAGINARY_SQUARE_ROOT, SQUARE_ROOT, WRONG_TYPES } from "../../fakes/drafts.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

let library: string;
let options: string[];
let count = 0;

afterAll(closeWorkspaces);

beforeEach(() => {
  library = `session${++count}`;
  options = ["--library", library];
});

function fileWith(text: string): string {
  const file = join(temporaryFolder(), "tool.ts");
  writeFileSync(file, text);
  return file;
}

describe("tools add without a tool", () => {
  it("makes an empty library, once", async () => {
    const made = await run("tools", "add", ...options);
    expect(made).toMatchObject({ code: 0, stdout: `library ${library}: empty\n` });
    expect((await runJson("tools", "list", ...options)).json).toEqual([]);
    expect(errorLine(await run("tools", "add", ...options))).toContain("already exists");
    expect(errorLine(await run("tools", "add", "--library", "math"))).toContain("library math");
    expect(errorLine(await run("tools", "add"))).toContain("nothing to add is named");
  });
});

describe("tools add", () => {
  beforeEach(async () => {
    await run("tools", "add", ...options);
  });

  it("adds a tested function, and then a new version of it", async () => {
    const first = await run("tools", "add", fileWith(SQUARE_ROOT), ...options);
    expect(first).toMatchObject({
      code: 0,
      stdout: `library ${library}: square_root, version 1\n`,
    });
    const file = fileWith(IMAGINARY_SQUARE_ROOT);
    const why = ["--why", "imaginary roots"];
    const second = await runJson("tools", "add", file, ...options, ...why);
    expect(second).toMatchObject({ code: 0, json: { tool: "square_root", version: 2 } });
    const { json } = await runJson("tools", "history", "square_root", ...options);
    expect(json).toMatchObject([
      { version: 1, note: { by: "person" } },
      {
        version: 2,
        note: { by: "person", why: "imaginary roots", breaks: ["square_root(-4) => throws"] },
      },
    ]);
  });

  it("reports each fault with file, line and column, and adds nothing", async () => {
    const file = fileWith(WRONG_TYPES);
    const { code, stdout, stderr } = await run("tools", "add", file, ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/tool\.ts: line \d+, column \d+: .*not assignable/);
    expect((await runJson("tools", "list", ...options)).json).toEqual([]);
  });
});

describe("a run with a change that a person has to approve", () => {
  beforeEach(async () => {
    await run("tools", "add", ...options);
  });

  it("shows code and tests, exits with 3, and continues when it is approved", async () => {
    const thread = crypto.randomUUID();
    const { code, stdout } = await waitingRun(thread);
    expect(code).toBe(3);
    expect(stdout).toContain("Waiting for approval: a new tool digit_sum");
    expect(stdout).toContain("export function digit_sum");
    expect(stdout).toContain("digit_sum(99) => 18: passed");
    const resumed = await runJson("resume", thread, "--approve");
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.json).toMatchObject({
      answer: "It is 6.",
      edits: [{ kind: "create", tool: "digit_sum", outcome: "done", version: 1 }],
    });
  });

  it("takes code from a file instead, and says what is wrong with it", async () => {
    const thread = crypto.randomUUID();
    await waitingRun(thread);
    const refused = await run("resume", thread, "--edit", fileWith(WRONG_TYPES));
    expect(refused.code).toBe(3);
    expect(refused.stdout).toMatch(/Your answer cannot be used: line \d+, column \d+/);
    const own = DIGIT_SUM.replace("Sum of the digits", "The digits summed up");
    const resumed = await runJson("resume", thread, "--edit", fileWith(own));
    expect(resumed).toMatchObject({ code: 0 });
    const made = ["--thread", thread];
    const shown = await runJson("tools", "list", "digit_sum", ...options, ...made);
    expect(shown.json).toMatchObject({ description: expect.stringContaining("summed up") });
  });

  it("does not create what is rejected", async () => {
    const thread = crypto.randomUUID();
    await waitingRun(thread);
    const resumed = await runJson("resume", thread, "--reject", "not needed");
    expect(resumed.json).toMatchObject({
      edits: [{ outcome: "rejected", reason: "a person rejected it: not needed" }],
    });
    expect((await runJson("tools", "list", ...options, "--thread", thread)).json).toEqual([]);
  });
});

/** A run that waits for a person, because it wants to create a tool. */
async function waitingRun(thread: string) {
  const model = scriptedModel([
    { calls: [{ name: "create_tool", args: { task_description: "Sum of digits" } }] },
    { text: DIGIT_SUM },
    { calls: [{ name: "digit_sum", args: { value: 123 } }] },
    { stop: "It is 6." },
  ]);
  const more = ["--model", model.spec, "--graph", "auto_tulip", "--set", "approval=writes"];
  return run("solve", "The digits of 123?", ...options, ...more, "--thread", thread);
}
