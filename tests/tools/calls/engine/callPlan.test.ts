import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { definitionHash } from "../../../../tools/library/records/hash.js";
import { createToolRuntime } from "../../../../tools/calls/runtime.js";
import type { CallsToRun } from "../../../../tools/calls/engine/callScope.js";
import { contractOf } from "../../../../tools/calls/engine/savedPlan.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import type { ToolDefinition, ToolRecord } from "../../../../tools/tool.js";
import { NUMBER, TEXT, temporaryFolder, toolRecord } from "../support.js";

const folder = temporaryFolder();
const runtime = createToolRuntime({ home: folder, workers: { size: 2 } });
afterAll(() => runtime.close());

const add = toolRecord("add", {
  properties: { a: NUMBER, b: NUMBER },
  required: ["a"],
  effects: "read",
  cost: 2,
});
const append = toolRecord("append", { properties: { file: TEXT, line: TEXT }, cost: 1 });
const asked = toolRecord("asked", {
  properties: { a: NUMBER, b: NUMBER },
  effects: "read",
  approval: true,
  source: { exportName: "add" },
});
const slow = toolRecord("appendSlowly", {
  properties: { file: TEXT, line: TEXT, until: TEXT },
  effects: "read",
});

/** A saved plan; what it was tested with matters where its tools have changed. */
function plan(
  id: string,
  lines: string[],
  {
    calls = [],
    properties = {},
    ...tool
  }: { calls?: ToolRecord[]; properties?: Record<string, JsonSchema> } & Partial<ToolRecord> = {},
): ToolRecord {
  const definition: ToolDefinition = {
    id,
    name: id,
    description: id,
    parameters: { type: "object", properties, required: Object.keys(properties) },
    effects: calls.some(({ effects }) => effects === "write") ? "write" : "read",
    ...(calls.some(({ approval }) => approval) ? { approval: true } : {}),
    source: {
      kind: "program",
      file: "saved plans",
      code: lines.join("\n"),
      calls: calls.map((tool) => ({ name: tool.id, tool: tool.id, contract: contractOf(tool) })),
      test: { args: {}, today: "2026-03-01", calls: [], result: null },
    },
    ...tool,
  };
  return { ...definition, version: 1, hash: definitionHash(definition) };
}

async function runPlan(
  tool: ToolRecord,
  args: Record<string, unknown>,
  { others = [], ...options }: { others?: ToolRecord[] } & Partial<CallsToRun> = {},
) {
  const library = new Map([add, append, asked, slow, ...others].map((each) => [each.id, each]));
  const request = { threadId: crypto.randomUUID(), timeoutMs: 60_000, library, ...options };
  const [outcome] = await runtime.runCalls({ ...request, calls: [{ id: "call", tool, args }] });
  return { outcome, entries: await runtime.journal.calls(request.threadId) };
}

const sums = plan(
  "sums",
  [
    "const sums = [];",
    "for (const value of values) sums.push(await add({ a: value, b: 1 }));",
    "return sums;",
  ],
  { calls: [add], properties: { values: { type: "array", items: NUMBER } } },
);

const LOG = ["for (const line of lines) {", "  await append({ file, line });", "}"];

/** A plan that writes lines, and what is in its file. */
function logger(end: string[], others: ToolRecord[] = []) {
  const file = join(folder, crypto.randomUUID());
  const tool = plan("logger", [...LOG, ...end], {
    calls: [append, ...others],
    properties: { lines: { type: "array", items: TEXT }, file: TEXT },
  });
  const written = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return { tool, args: { lines: ["one", "two"], file }, written };
}

describe("a call of a saved plan", () => {
  it("makes the plan's calls, which are journaled by their places and paid for", async () => {
    const { outcome, entries } = await runPlan(sums, { values: [1, 2] });
    expect(outcome).toMatchObject({ status: "done", result: [2, 3], cost: 4 });
    expect(entries.map(({ callId, status }) => `${callId} ${status}`)).toEqual([
      "call done",
      "call/begun done",
      "call/0:0 done",
      "call/0:1 done",
    ]);
  });

  it("can be made by another saved plan", async () => {
    const twice = plan("twice", ["return await sums({ values: await sums({ values }) });"], {
      calls: [sums],
      properties: { values: { type: "array", items: NUMBER } },
    });
    const { outcome } = await runPlan(twice, { values: [1] }, { others: [sums] });
    expect(outcome).toMatchObject({ status: "done", result: [3], cost: 4 });
  });

  it("keeps the day of its run, even when it continues on another", async () => {
    const file = join(folder, "day.txt");
    const until = join(folder, "day.end");
    const dated = plan(
      "dated",
      ["await appendSlowly({ file, line: 'x', until });", "return today;"],
      {
        calls: [slow],
        properties: { file: TEXT, until: TEXT },
      },
    );
    const threadId = crypto.randomUUID();
    const stop = new AbortController();
    const first = runPlan(
      dated,
      { file, until },
      { threadId, plans: { today: "2026-03-01", mostCalls: 10 }, signal: stop.signal },
    );
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    stop.abort();
    expect((await first).outcome).toMatchObject({ status: "cancelled" });
    writeFileSync(until, "");
    const plans = { today: "2026-03-02", mostCalls: 10 };
    const { outcome } = await runPlan(dated, { file, until }, { threadId, plans });
    expect(outcome).toMatchObject({ status: "done", result: "2026-03-01" });
  });

  it("waits for a person about a write whose outcome is unknown, and goes on after it", async () => {
    const { tool, args, written } = logger(["return 'Done.';"]);
    const threadId = crypto.randomUUID();
    const first = { file: args.file, line: "one" };
    const begun = { threadId, callId: "call/0:0", tool: append.id, args: first };
    const claim = await runtime.journal.begin({ ...begun, effects: "write" });
    if (claim.kind !== "execute") throw new Error("it was made before");
    await runtime.journal.start(claim);
    await runtime.journal.release(claim);
    const { outcome } = await runPlan(tool, args, { threadId, answers: [] });
    expect(outcome).toMatchObject({ status: "input", input: [{ isOutcome: true }] });
    expect(written()).toEqual([]);
    const id = outcome?.input?.[0]?.id ?? "";
    const answers = [{ id, action: "accept", content: { made: true } } as const];
    const after = await runPlan(tool, args, { threadId, answers });
    expect(after.outcome).toMatchObject({ status: "done", result: "Done." });
    expect(written()).toEqual(["two"]);
  });

  it("may call what needs approval, because it needs approval itself", async () => {
    const tool = plan("teller", ["return await asked({ a: 1, b: 2 });"], { calls: [asked] });
    expect(tool.approval).toBe(true);
    expect((await runPlan(tool, {})).outcome).toMatchObject({ status: "done" });
  });
});

describe("a saved plan that does not end well", () => {
  it("fails with its line before it writes anything, if the failure is known in time", async () => {
    const end = ["const x = lines.find((line) => line === 'x');", "return x.y;"];
    const { tool, args, written } = logger(end);
    const { outcome } = await runPlan(tool, args);
    expect(outcome).toMatchObject({
      status: "error",
      error: expect.stringMatching(/^logger, line 5: .*undefined/),
    });
    expect(written()).toEqual([]);
  });

  it("says what it has written so far", async () => {
    const { tool, args, written } = logger(["return await add({ a: 'x' });"], [add]);
    const { outcome } = await runPlan(tool, args);
    expect(outcome?.error).toMatch(
      /^logger, line 4: add has failed: .*; what it has written until then stands: append 2 ×$/,
    );
    expect(written()).toEqual(["one", "two"]);
  });

  it("stops before it writes anything if it would make too many calls", async () => {
    const { tool, args, written } = logger(["return 'Done.';"]);
    const plans = { today: "2026-03-01", mostCalls: 1 };
    const { outcome } = await runPlan(tool, args, { plans });
    expect(outcome?.error).toContain("more than 1 calls of tools");
    expect(written()).toEqual([]);
  });

  it("stops before the next write at a result that is not of the type that its tool declares", async () => {
    const wrong = { ...add, returns: TEXT, hash: "other" };
    const file = join(folder, "never");
    const tool = plan(
      "doubtful",
      [
        "const sum = await add({ a: 1, b: 2 });",
        "await append({ file, line: sum });",
        "return 'Done.';",
      ],
      { calls: [wrong, append], properties: { file: TEXT } },
    );
    const { outcome } = await runPlan(tool, { file }, { others: [wrong] });
    expect(outcome?.error).toMatch(
      /^doubtful, line 1: the result of add is not to be relied on: .* the value is 3$/,
    );
    expect(existsSync(file)).toBe(false);
  });

  it("is not continued if it has changed meanwhile", async () => {
    const { tool, args, written } = logger(["return 'Done.';"]);
    const threadId = crypto.randomUUID();
    await runPlan(tool, args, { threadId });
    const changed = { ...tool, hash: "changed" };
    const { outcome } = await runPlan(changed, { ...args, lines: ["three"] }, { threadId });
    expect(outcome?.error).toContain("outcome unknown: logger was changed");
    expect(written()).toEqual(["one", "two"]);
  });
});

/** A plan that reads between its two writes. */
function reader() {
  const file = join(folder, crypto.randomUUID());
  const lines = [
    "await append({ file, line: 'begin' });",
    "const sum = await add({ a: 1, b: 2 });",
    "await append({ file, line: `sum ${sum}` });",
    "return 'Done.';",
  ];
  const tool = plan("reader", lines, { calls: [append, add], properties: { file: TEXT } });
  const written = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return { tool, args: { file }, written, threadId: crypto.randomUUID() };
}

describe("a saved plan whose calls a person is asked about", () => {
  const plans = { today: "2026-03-01", mostCalls: 10, asks: "writes" } as const;

  it("shows all writes that can be known, reads made for that are made again, and only what was shown is written", async () => {
    const { tool, args, written, threadId } = reader();
    const { outcome } = await runPlan(tool, args, { threadId, plans, answers: [] });
    const [question] = outcome?.input ?? [];
    const lines = question?.calls?.planned.map((each) => each.args["line"]);
    expect(lines).toEqual(["begin", "sum 3"]);
    expect(question?.calls?.complete).toBe(true);
    expect(written()).toEqual([]);
    const answers = [{ id: question?.id ?? "", action: "accept" } as const];
    const changed = { ...append, hash: "changed" };
    const again = await runPlan(tool, args, { threadId, plans, answers, others: [changed] });
    expect(again.outcome?.input?.[0]?.id).not.toBe(question?.id);
    expect(written()).toEqual([]);
    const { outcome: done, entries } = await runPlan(tool, args, { threadId, plans, answers });
    expect(done).toMatchObject({ status: "done", result: "Done." });
    expect(written()).toEqual(["begin", "sum 3"]);
    expect(entries.filter(({ tool: id }) => id === "add")).toHaveLength(2);
  });

  it("writes nothing if it is declined, or nobody can be asked", async () => {
    const { tool, args, written, threadId } = reader();
    const { outcome } = await runPlan(tool, args, { threadId, plans, answers: [] });
    const id = outcome?.input?.[0]?.id ?? "";
    const answers = [{ id, action: "decline" } as const];
    const declined = await runPlan(tool, args, { threadId, plans, answers });
    expect(declined.outcome?.error).toContain("a person has rejected");
    const alone = await runPlan(tool, args, { plans });
    expect(alone.outcome?.error).toContain("nobody can be asked");
    expect(written()).toEqual([]);
  });
});
