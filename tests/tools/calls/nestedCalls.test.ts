import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { InputAnswer } from "../../../tools/remote.js";
import { invoke } from "../../../tools/calls/engine/invoke.js";
import { createToolRuntime } from "../../../tools/calls/runtime.js";
import type { CallsToRun } from "../../../tools/calls/engine/callScope.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { NUMBER, TEXT, temporaryFolder, toolRecord } from "./support.js";

const runtime = createToolRuntime({ home: temporaryFolder(), workers: { size: 2 } });
afterAll(() => runtime.close());

const add = toolRecord("add", {
  properties: { a: NUMBER, b: NUMBER },
  required: ["a"],
  effects: "read",
  cost: 2,
});
const append = toolRecord("append", { properties: { file: TEXT, line: TEXT } });
const ask = toolRecord("ask", { effects: "read" });
const hang = toolRecord("hang", { effects: "read" });
const sumByTools = toolRecord("sumByTools", {
  properties: { values: { type: "array", items: NUMBER } },
  effects: "read",
  cost: 1,
  source: { takesContext: true },
});
const callOther = toolRecord("callOther", {
  properties: { name: TEXT, args: { type: "object" } },
  effects: "read",
  source: { takesContext: true },
});

/** How long threads may take to start, on a machine that is busy. */
const PATIENCE = { timeout: 60_000 };

const all = new Map([add, append, ask, hang, sumByTools, callOther].map((tool) => [tool.id, tool]));

async function runOne(
  tool: ToolRecord,
  args: Record<string, unknown>,
  options: Partial<CallsToRun> = {},
) {
  const request = { threadId: "nested", timeoutMs: 60_000, library: all, ...options };
  const [outcome] = await runtime.runCalls({ ...request, calls: [{ id: "call", tool, args }] });
  return outcome;
}

async function statusesIn(threadId: string): Promise<string[]> {
  return (await runtime.journal.calls(threadId)).map(({ status }) => status);
}

describe("a tool that calls tools", () => {
  test("gets their results, is charged for them, and they are journaled under its id", async () => {
    const outcome = await runOne(sumByTools, { values: [1, 2, 3] }, { threadId: "sum" });
    expect(outcome).toMatchObject({ status: "done", result: 6, cost: 7 });
    const entries = await runtime.journal.calls("sum");
    expect(entries.map(({ callId, tool, status }) => `${callId} ${tool} ${status}`)).toEqual([
      "call sumByTools done",
      "call/1 add done",
      "call/2 add done",
      "call/3 add done",
    ]);
  });

  test.each([
    ["does not exist", "nothing", {}, "callOther cannot call nothing: there is no such tool"],
    ["writes, while it only reads itself", "append", { file: "/nowhere", line: "" }, "it writes"],
  ])("cannot call a tool that %s", async (why, name, args, message) => {
    const outcome = await runOne(callOther, { name, args }, { threadId: `refused ${why}` });
    expect(outcome).toMatchObject({ status: "error", error: expect.stringContaining(message) });
  });

  test("cannot call itself without end", async () => {
    const endless = (depth: number): Record<string, unknown> =>
      depth === 0
        ? { name: "add", args: { a: 1 } }
        : { name: "callOther", args: endless(depth - 1) };
    const outcome = await runOne(callOther, endless(6), { threadId: "endless" });
    expect(outcome?.error).toContain("calls are nested more than 4 deep");
  });

  test("waits for a person with what it has called if it reads, and cannot if it writes", async () => {
    const open = createToolRuntime({
      home: temporaryFolder(),
      invoke: async (invocation) => {
        const { id: callId, record, answers } = invocation.call;
        if (record.id !== ask.id) return await invoke(invocation);
        if (!answers) return { error: "nobody can be asked" };
        if (answers.some(({ id }) => id === "why")) return { resultJson: '"told"' };
        return { input: [{ id: "why", source: "test", tool: ask.id, callId, message: "Why?" }] };
      },
    });
    onTestFinished(() => open.close());
    const outcomeOf = async (tool: ToolRecord, answers: InputAnswer[]) => {
      const calls = [{ id: "call", tool, args: { name: ask.id, args: {} } }];
      const request = { threadId: tool.effects, timeoutMs: 60_000, library: all, answers };
      return (await open.runCalls({ ...request, calls }))[0];
    };
    const question = { callId: "call/1", message: "Why?" };
    expect(await outcomeOf(callOther, [])).toMatchObject({ status: "input", input: [question] });
    const answered = await outcomeOf(callOther, [{ id: "why", action: "accept" }]);
    expect(answered).toMatchObject({ status: "done", result: "told" });
    const writing = await outcomeOf({ ...callOther, effects: "write" }, []);
    expect(writing).toMatchObject({ status: "error", error: "Error: ask: nobody can be asked" });
  });

  test("finds a slot for them even when calls like it have taken all slots", async () => {
    const calls = Array.from({ length: 4 }, (_, index) => ({
      id: `call-${index}`,
      tool: sumByTools,
      args: { values: [index, 1] },
    }));
    const request = { threadId: "places", timeoutMs: 60_000, library: all };
    const outcomes = await runtime.runCalls({ ...request, calls });
    expect(outcomes.map(({ result }) => result)).toEqual([1, 2, 3, 4]);
  });

  test("ends together with what it has called when its time is over", async () => {
    // Time stands still until both run, however long their threads take to start.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const options = { threadId: "over", timeoutMs: 2_000 };
    const running = runOne(callOther, { name: "hang", args: {} }, options);
    await expect.poll(() => statusesIn("over"), PATIENCE).toEqual(["accepted", "accepted"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await running)?.status).toBe("timeout");
    // What was called is left as interrupted: a later run tries the read again.
    await expect.poll(() => statusesIn("over"), PATIENCE).toEqual(["timeout", "accepted"]);
    await vi.runAllTimersAsync();
  });
});
