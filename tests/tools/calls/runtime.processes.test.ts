import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createToolRuntime } from "../../../tools/calls/runtime.js";
import type { CallsToRun } from "../../../tools/calls/engine/callScope.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { LANGCHAIN_FILE, NUMBER, TEXT, temporaryFolder, toolRecord } from "./support.js";

const home = temporaryFolder();
const runtime = createToolRuntime({
  home,
  maxResultChars: 1_000,
  workers: { size: 3, memoryMb: 64 },
});
afterAll(() => runtime.close());

const add = toolRecord("add", {
  properties: { a: NUMBER, b: NUMBER },
  required: ["a"],
  effects: "read",
  cost: 2,
});

let threads = 0;

/** Runs calls in a thread of their own, each under its place as id. */
function run(
  calls: [tool: ToolRecord, args: Record<string, unknown>][],
  options: Partial<CallsToRun> = {},
) {
  return runtime.runCalls({
    threadId: `thread-${++threads}`,
    timeoutMs: 60_000,
    ...options,
    calls: calls.map(([tool, args], index) => ({ id: `call-${index}`, tool, args })),
  });
}

async function runOne(
  tool: ToolRecord,
  args: Record<string, unknown> = {},
  options: Partial<CallsToRun> = {},
) {
  const [outcome] = await run([[tool, args]], options);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

describe("a call that runs", () => {
  test("gives its result, its text for the model, its cost and its time", async () => {
    const outcome = await runOne(add, { a: 1, b: 2 });
    expect(outcome).toEqual({
      id: "call-0",
      tool: "add",
      args: { a: 1, b: 2 },
      status: "done",
      result: 3,
      resultText: "3",
      ms: expect.any(Number),
      cost: 2,
      replayed: false,
    });
  });

  test("may be a LangChain tool", async () => {
    const tool = toolRecord("shout", {
      properties: { text: TEXT },
      source: { kind: "langchain", file: LANGCHAIN_FILE },
    });
    expect((await runOne(tool, { text: "quiet" })).resultText).toBe("QUIET");
  });

  test("with a long result is cut for the model, and kept whole in the journal", async () => {
    const tool = toolRecord("repeat", { properties: { text: TEXT, times: NUMBER } });
    const outcome = await runOne(tool, { text: "abc", times: 1_000 });
    expect(outcome).not.toHaveProperty("result");
    expect(outcome.resultText).toHaveLength(
      1_000 + "… [cut: the first 1000 of 3000 characters are shown]".length,
    );
    expect(outcome.resultText).toMatch(/^abcabc.*first 1000 of 3000 characters are shown\]$/);
    expect(await runtime.journal.result(outcome.resultRef ?? "")).toBe("abc".repeat(1_000));
  });
});

describe("calls that run together", () => {
  test("do not wait for each other", async () => {
    const meet = toolRecord("meet", { properties: { file: TEXT, count: NUMBER }, effects: "read" });
    const args = { file: join(home, "met.txt"), count: 3 };
    const outcomes = await run([args, args, args].map((each) => [meet, each]));
    expect(outcomes.map(({ result }) => result)).toEqual([3, 3, 3]);
  });

  test("share the start of their time-outs, so that many hanging calls end together", async () => {
    // Those that wait have less time, so that none gets a place in the moment in which its own time ends.
    const times = [2_000, 2_000, 2_000, 500, 500, 500, 500, 500, 500];
    const outcomes = await run(
      times.map((timeoutMs) => [toolRecord("hang", { effects: "read", timeoutMs }), {}]),
    );
    expect(outcomes.every(({ status }) => status === "timeout")).toBe(true);
    const waited = outcomes.filter(({ error }) => error?.startsWith("not started"));
    expect(waited).toEqual(outcomes.slice(3));
    expect(waited.every(({ cost }) => cost === 0)).toBe(true);
  });
});

describe("a call that fails", () => {
  test("with invalid arguments is not executed, not journaled and costs nothing", async () => {
    const outcome = await runOne(add, { a: "five" }, { threadId: "invalid" });
    expect(outcome).toMatchObject({
      status: "invalid",
      error: '`a` must be a number, got the text "five"',
      resultText:
        'invalid arguments, the call was not executed: `a` must be a number, got the text "five"',
      cost: 0,
    });
    expect(await runtime.journal.calls("invalid")).toEqual([]);
  });

  test("by throwing reports name and message in one line, without the stack", async () => {
    const outcome = await runOne(toolRecord("fail", { cost: 3 }));
    expect(outcome).toMatchObject({
      status: "error",
      error: "RangeError: the radius must be positive",
      cost: 3,
    });
    expect(outcome.resultText).toBe(outcome.error);
  });

  test("by ending its process only ends its own call", async () => {
    const outcome = await runOne(toolRecord("exit"));
    expect(outcome.error).toBe("the function ended its process (exit code 3)");
    expect((await runOne(add, { a: 1, b: 1 })).result).toBe(2);
  });

  test("by a rejection that nobody waits for is an error of the call", async () => {
    const { status, error } = await runOne(toolRecord("rejectUnseen"));
    expect(status).toBe("error");
    expect(error).toBe("not caught in the function: TypeError: nobody waits for this");
  });

  test.each(["devour", "devourBuffers", "allocate"])(
    "by using up its memory is an error of the call (%s)",
    async (name) => {
      const tool = toolRecord(name, { properties: { megabytes: { type: "number" } } });
      const { error } = await runOne(tool, name === "allocate" ? { megabytes: 2_000 } : {});
      expect(error).toBe("the function needed more than 64 MB of memory and was ended");
      expect((await runOne(add, { a: 1, b: 1 })).result).toBe(2);
    },
  );

  test.each([
    ["killProcess", { signal: "SIGKILL" }],
    ["killHost", { signal: "SIGKILL" }],
    ["abortProcess", {}],
  ])("by a signal to its process or to the program ends its call only (%s)", async (name, args) => {
    const tool = toolRecord(name, { properties: { signal: { type: "string" } } });
    const { status, error } = await runOne(tool, args);
    expect(status).toBe("error");
    expect(error).toMatch(/^the function ended its process \(SIG[A-Z]+\)$/);
    expect((await runOne(add, { a: 1, b: 1 })).result).toBe(2);
  });

  test("because its export is missing names the existing ones", async () => {
    const { error } = await runOne(toolRecord("vanished"));
    expect(error).toMatch(/exports no function "vanished"; it exports: .*add, /);
  });

  test("because its file is missing is an error of the call", async () => {
    const { status, error } = await runOne(
      toolRecord("add", { source: { file: "/nowhere/x.ts" } }),
    );
    expect(status).toBe("error");
    expect(error).toContain("/nowhere/x.ts");
  });
});

describe("a call that does not end", () => {
  test("in an endless loop ends at its time-out, and the next call works", async () => {
    const spin = toolRecord("spin", { timeoutMs: 300 });
    const outcome = await runOne(spin);
    expect(outcome.ms).toBeLessThan(60_000);
    expect(outcome).toMatchObject({
      status: "timeout",
      error: "timed out after 300 ms; it may or may not have taken effect",
    });
    expect((await runOne(add, { a: 2, b: 2 })).result).toBe(4);
  });

  test("is told by its signal and may clean up", async () => {
    const file = join(home, "aborted.txt");
    const tool = toolRecord("waitForAbort", {
      properties: { file: TEXT },
      source: { takesContext: true },
    });
    const { status } = await runOne(tool, { file }, { timeoutMs: 300 });
    expect(status).toBe("timeout");
    await expect
      .poll(() => existsSync(file) && readFileSync(file, "utf8"), { timeout: 60_000 })
      .toBe("aborted\n");
  });

  test("ends when the run is cancelled, and what was not started stays so", async () => {
    const controller = new AbortController();
    const hang = toolRecord("hang");
    const read = toolRecord("hang", { effects: "read" });
    const begun = async (threadId: string, status: string, ...tools: ToolRecord[]) => {
      const options = { signal: controller.signal, threadId, timeoutMs: 60_000 };
      const running = run(
        tools.map((tool): [ToolRecord, Record<string, unknown>] => [tool, {}]),
        options,
      );
      const statuses = async () =>
        (await runtime.journal.calls(threadId)).map((call) => call.status);
      await expect.poll(statuses, { timeout: 60_000 }).toEqual([status]);
      // In an object, so that it is not awaited with this function.
      return { running };
    };
    const begunRuns = [
      await begun("cancelled write", "started", hang, read),
      await begun("cancelled read", "accepted", read, hang),
    ];
    controller.abort();
    const outcomes = (await Promise.all(begunRuns.map((each) => each.running))).flat();
    expect(outcomes.map(({ status, error }) => `${status}: ${error}`)).toEqual([
      "cancelled: the run was cancelled; it may or may not have taken effect",
      "cancelled: not started: the run was cancelled",
      "cancelled: the run was cancelled",
      "cancelled: not started: the run was cancelled",
    ]);
  });
});
