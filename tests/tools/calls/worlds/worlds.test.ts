import { afterAll, describe, expect, test } from "vitest";
import { createToolRuntime } from "../../../../tools/calls/runtime.js";
import type { CallsToRun } from "../../../../tools/calls/engine/callScope.js";
import { defineWorld } from "../../../../tools/calls/worlds/worlds.js";
import { CATALOGS, COUNTER, NUMBER, counterTool, temporaryFolder } from "../support.js";

const home = temporaryFolder();
const runtime = createToolRuntime({ home, catalogs: CATALOGS, worlds: [COUNTER] });
afterAll(() => runtime.close());

const increase = counterTool("increase", {
  properties: { by: NUMBER, ms: { type: "number", default: 1 } },
});

function run(
  threadId: string,
  calls: [id: string, tool: CallsToRun["calls"][number]["tool"], args?: Record<string, unknown>][],
  options: Partial<CallsToRun> = {},
) {
  return runtime.runCalls({
    threadId,
    timeoutMs: 60_000,
    ...options,
    calls: calls.map(([id, tool, args = {}]) => ({ id, tool, args })),
  });
}

async function counter(runId: string) {
  return (await runtime.worlds.open({ name: "counter", runId })).world;
}

describe("the world of a catalog", () => {
  test("is changed by calls one after another, in call order, however long each takes", async () => {
    const outcomes = await run("order", [
      ["a", increase, { by: 1, ms: 60 }],
      ["b", increase, { by: 10, ms: 1 }],
      ["c", increase, { by: 100, ms: 20 }],
    ]);
    expect(outcomes.map(({ result }) => result)).toEqual([1, 11, 111]);
    expect(await counter("order")).toEqual({ value: 111, history: ["a", "b", "c"] });
  });

  test("stays as it was before a call that throws or runs out of time half-way", async () => {
    const outcomes = await run("broken", [
      ["a", increase, { by: 3 }],
      ["b", counterTool("breakAfterChange")],
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["done", "error"]);
    // In a message of its own: its time would run while it waits for the calls before it.
    const [hanging] = await run("broken", [
      ["c", counterTool("hangAfterChange", { timeoutMs: 100 })],
    ]);
    expect(hanging).toMatchObject({
      status: "timeout",
      error: expect.stringMatching(/^timed out after 100 ms/),
    });
    expect(await run("broken", [["d", increase, { by: 4 }]])).toMatchObject([{ status: "done" }]);
    expect(await counter("broken")).toEqual({ value: 7, history: ["a", "d"] });
  });

  test("cannot be reached by a tool that is called by another tool of that world", async () => {
    const [outcome] = await run("nested", [["a", counterTool("increaseTwice")]], {
      library: { get: () => increase },
    });
    expect(outcome?.error).toBe(
      'increaseTwice cannot call increase: both act on the world "counter"; call its function directly',
    );
  });

  test("is not needed by a function without a context", async () => {
    const double = counterTool("double", {
      properties: { value: NUMBER },
      source: { takesContext: false },
    });
    const [outcome] = await run("plain", [["a", double, { value: 21 }]]);
    expect(outcome?.result).toBe(42);
    expect(await runtime.journal.world({ name: "counter", runId: "plain" })).toBeUndefined();
  });
});

describe("a shipped function", () => {
  test("that its catalog lacks is an error that names the nearest one", async () => {
    const [outcome] = await run("missing", [["a", counterTool("inkrease")]]);
    expect(outcome?.error).toContain('did you mean "increase"?');
  });
});

describe("a world that fails", () => {
  const failing = createToolRuntime({
    home: temporaryFolder(),
    catalogs: CATALOGS,
    worlds: [defineWorld({ ...COUNTER, save: () => () => 1 })],
  });
  afterAll(() => failing.close());

  test("to be saved makes its call an error", async () => {
    const call = { id: "a", tool: increase, args: { by: 1 } };
    const [outcome] = await failing.runCalls({ threadId: "t", timeoutMs: 60_000, calls: [call] });
    expect(outcome).toMatchObject({ status: "error", error: expect.stringContaining("JSON") });
  });
});

test("a world tells what has changed", async () => {
  const jar = defineWorld<{ marbles: number }>({
    name: "jar",
    create: () => ({ marbles: 0 }),
    save: (world) => world,
    load: (saved) => ({ ...(saved as { marbles: number }) }),
  });
  const own = createToolRuntime({ home: temporaryFolder(), worlds: [jar] });
  const { worlds, journal } = own;
  const key = { name: "jar", runId: "told" };
  await journal.saveWorld((await worlds.open(key)).saved({ marbles: 7 }));
  expect((await worlds.open(key)).change()).toStrictEqual({ marbles: 7 });
  const opening = worlds.open({ name: "sea", runId: "any" });
  await expect(opening).rejects.toThrow('unknown world "sea"; available: jar');
  await own.close();
});
