import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
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

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder, "log.txt");
  thread = crypto.randomUUID();
});

/** A run that waits for a person, because it wants to write one line or several. */
async function waitingRun(lines = ["one"]): Promise<Printed> {
  const calls = lines.map((line) => ({ name: "write_line", args: { file: log, line } }));
  const model = scriptedModel([{ calls }, { stop: "It is done." }]);
  const settings = ["--set", "approval=writes", "--set", "topK=9", "--set", "threshold=0"];
  const options = [...LIBRARY_OPTIONS, "--model", model.spec, "--graph", "minimal_tulip"];
  return await run("solve", "Write it", ...options, ...settings, "--thread", thread);
}

function written(): string | undefined {
  return existsSync(log) ? readFileSync(log, "utf8") : undefined;
}

describe("a run with a call that a person has to approve", () => {
  it("shows the call, says how to decide, and exits with 3", async () => {
    const { code, stdout, stderr } = await waitingRun();
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(stdout).toContain(`Waiting for approval: write_line(file="${log}", line="one")`);
    expect(stdout).toContain(`To decide: tulipgraph resume ${thread} --approve`);
    expect((await run("threads")).stdout).toMatch(new RegExp(`^${thread} .* waiting`, "m"));
    expect(written()).toBeUndefined();
  });

  it("makes the call once it is approved", async () => {
    await waitingRun();
    const { code, json } = await runJson("resume", thread, "--approve");
    expect(code).toBe(0);
    expect(json).toMatchObject({ status: "solved", calls: [{ result: "written: one" }] });
    expect(written()).toBe("one\n");
  });

  it("does not make it when it is rejected, and tells the model the reason", async () => {
    await waitingRun();
    const { json } = await runJson("resume", thread, "--reject", "not today");
    expect(json).toMatchObject({
      status: "unsolved",
      calls: [{ error: expect.stringContaining("not today") as string }],
    });
    expect(written()).toBeUndefined();
  });

  it("makes it with the arguments in a file", async () => {
    await waitingRun();
    const file = join(folder, "edited.json");
    writeFileSync(file, JSON.stringify({ file: log, line: "two" }));
    const { json } = await runJson("resume", thread, "--edit", file);
    expect(json).toMatchObject({ calls: [{ args: { line: "two" }, result: "written: two" }] });
    expect(written()).toBe("two\n");
  });
});

describe("an invalid decision", () => {
  it.each([
    ["{}x", /is not JSON/],
    ["[]", /does not hold the arguments of write_line\. Write one JSON object/],
    ["3", /does not hold the arguments of write_line/],
  ])("because the file with the arguments holds %s is refused", async (text, pattern) => {
    await waitingRun();
    const file = join(folder, "edited.json");
    writeFileSync(file, text);
    expect(errorLine(await run("resume", thread, "--edit", file))).toMatch(pattern);
    expect(written()).toBeUndefined();
  });
});
