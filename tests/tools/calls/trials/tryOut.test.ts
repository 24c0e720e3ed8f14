import { afterAll, describe, expect, test } from "vitest";
import type { GeneratedTool, ExampleCheck, ToolRecord } from "../../../../tools/tool.js";
import { createToolRuntime, type ToolRuntime } from "../../../../tools/calls/runtime.js";
import type { TrialRequest } from "../../../../tools/calls/trials.js";
import { generatedTool, recordOf } from "../generatedSupport.js";
import {
  CATALOGS,
  COUNTER,
  counterTool,
  NUMBER,
  temporaryFolder,
  TEXT,
  toolRecord,
} from "../support.js";

const open = (computeMs: number) =>
  createToolRuntime({
    home: temporaryFolder(),
    catalogs: CATALOGS,
    worlds: [COUNTER],
    sandbox: { limits: { computeMs } },
  });
/** Gives programs more time than any of them needs, however busy the machine is. */
const runtime = open(60_000);
/** For those that never end. */
const hasty = open(500);
afterAll(() => Promise.all([runtime.close(), hasty.close()]));

const increase = counterTool("increase", {
  properties: { by: NUMBER, ms: { type: "number", default: 1 } },
});
const add = toolRecord("add", { properties: { a: NUMBER, b: NUMBER }, effects: "read" });
const append = toolRecord("append", { properties: { file: TEXT, line: TEXT } });
const raise = recordOf(
  generatedTool("raise", {
    program: "async function raise() { return await callTool('increase', { by: 5 }); }",
    calls: ["increase"],
    effects: "write",
  }),
);
const note = recordOf(
  generatedTool("note", {
    program: "async function note() { return await callTool('append', {}); }",
    calls: ["append"],
    effects: "write",
  }),
);
const library = new Map<string, ToolRecord>(
  [increase, add, append, raise, note].map((tool) => [tool.id, tool]),
);

const half = generatedTool("half", {
  program: `function half(value) {
    if (value < 0) throw new RangeError("negative");
    if (value === 0) for (;;);
    return value / 2;
  }`,
  properties: { value: NUMBER },
});

/** A tool without parameters that calls every tool. */
function acting(body: string, calls = [...library.keys()]): GeneratedTool {
  const program = `async function act() { ${body} }`;
  return generatedTool("act", { program, calls, effects: "write" });
}

const value = (expected: unknown, args = {}): ExampleCheck => ({
  args,
  expects: { kind: "value", value: expected },
});
const throws = (args = {}): ExampleCheck => ({ args, expects: { kind: "throws" } });
const runs = (args = {}): ExampleCheck => ({ args, expects: { kind: "runs" } });

function tryOut(
  tool: GeneratedTool,
  checks: ExampleCheck[],
  { on = runtime, ...options }: Partial<TrialRequest> & { on?: ToolRuntime } = {},
) {
  return on.tryOut({
    tool,
    checks,
    library,
    threadId: "trial",
    timeoutMs: 100_000,
    ...options,
  });
}

describe("an example of a tool that a model has written", () => {
  test("passes when its outcome is the expected one", async () => {
    const checks = [value(2, { value: 4 }), value(0.15, { value: 0.3 }), throws({ value: -1 })];
    const outcomes = await tryOut(half, [...checks, runs({ value: 1 })]);
    expect(outcomes.map(({ passed }) => passed)).toEqual([true, true, true, true]);
    expect(outcomes.map(({ check }) => check)).toEqual([...checks, runs({ value: 1 })]);
    expect(outcomes.map(({ got }) => got)).toEqual([
      { kind: "value", value: 2 },
      { kind: "value", value: 0.15 },
      { kind: "throws", error: "RangeError: negative" },
      { kind: "value", value: 0.5 },
    ]);
  });

  test.each<[string, ExampleCheck, object]>([
    ["gives something else", value(3, { value: 4 }), { kind: "value", value: 2 }],
    ["gives something instead of an error", throws({ value: 4 }), { kind: "value", value: 2 }],
    ["fails", value(1, { value: -1 }), { kind: "throws", error: "RangeError: negative" }],
  ])("does not pass when it %s", async (_why, check, got) => {
    expect(await tryOut(half, [check])).toMatchObject([{ passed: false, got }]);
  });

  test("that expects an error does not pass because of a limit, a time-out or invalid arguments", async () => {
    const stuck = { ...acting("await callTool('increase', { by: 1, ms: 1e6 });"), timeoutMs: 400 };
    const outcomes = [
      ...(await tryOut(half, [throws({ value: 0 })], { on: hasty })),
      ...(await tryOut(half, [throws({ value: "x" })])),
      ...(await tryOut(stuck, [throws()])),
    ];
    expect(outcomes).toMatchObject([
      { passed: false, got: { error: expect.stringContaining("computed for more than 500 ms") } },
      { passed: false, got: { error: expect.stringContaining("invalid arguments") } },
      { passed: false, got: { error: expect.stringContaining("timed out after 400 ms") } },
    ]);
  });
});

describe("a tool that is tried out", () => {
  test("acts on a copy of the run's world, each example on its own", async () => {
    const calls = [{ id: "first", tool: increase, args: { by: 1 } }];
    await runtime.runCalls({ threadId: "copied", timeoutMs: 100_000, calls });
    const tool = acting(
      "await callTool('increase', { by: 10 }); return await callTool('increase', { by: 10 });",
    );
    const outcomes = await tryOut(tool, [value(21), value(21)], { threadId: "copied" });
    expect(outcomes.map(({ passed }) => passed)).toEqual([true, true]);
    const { world } = await runtime.worlds.open({ name: "counter", runId: "copied" });
    expect(world).toEqual({ value: 1, history: ["first"] });
    expect(await runtime.journal.calls("copied")).toHaveLength(1);
  });

  test.each<[string, string, string[] | undefined, string]>([
    ["that writes to no world", "append", undefined, "a tool that calls it cannot be tried out"],
    ["of a model that calls one that writes", "note", undefined, "cannot be tried out"],
    ["that it does not list", "add", ["increase"], "it may only call increase"],
  ])("cannot call one %s, and an example that expects an error fails", async (...test) => {
    const [, name, calls, error] = test;
    const tool = acting(`return await callTool('${name}', {});`, calls);
    expect(await tryOut(tool, [throws()])).toMatchObject([
      { passed: false, got: { kind: "throws", error: expect.stringContaining(error) } },
    ]);
  });
});
