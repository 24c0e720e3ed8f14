import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Claim } from "../../../tools/calls/journal/journal.js";
import type { CallOutcome } from "../../../tools/calls/engine/callOutcome.js";
import type { InputAnswer } from "../../../tools/remote.js";
import { type ToolRuntime, createToolRuntime } from "../../../tools/calls/runtime.js";
import type { ToolEffects } from "../../../tools/tool.js";
import { programFile } from "../../fakes/programs.js";
import { TEXT, temporaryFolder, toolRecord } from "./support.js";

const home = temporaryFolder();
let runtime: ToolRuntime;
beforeAll(() => {
  runtime = createToolRuntime({ home });
});
afterAll(() => runtime.close());

/** How long a process may take to start, on a machine that is busy. */
const PATIENCE = { timeout: 100_000 };

/** A call that leaves a line in a file when it starts, and does not end before it is let go. */
function slowCall(name: string, { effects }: { effects: ToolEffects }) {
  const file = join(home, `${name}.txt`);
  const until = join(home, `${name}.end`);
  const tool = toolRecord("appendSlowly", {
    properties: { file: TEXT, line: TEXT, until: TEXT },
    effects,
    cost: 5,
  });
  const request = {
    threadId: name,
    timeoutMs: 600_000,
    calls: [{ id: "call", tool, args: { file, line: "happened", until } }],
  };
  const times = () =>
    existsSync(file) ? readFileSync(file, "utf8").match(/happened/g)?.length : 0;
  return { request, times, letGo: () => writeFileSync(until, "") };
}

function startProcess(request: object): ChildProcess {
  const script = programFile("tests/fixtures/runtime/runOnce.ts");
  const args = [script, JSON.stringify({ home, ...request })];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function runAndKill({ request, times }: ReturnType<typeof slowCall>): Promise<void> {
  const child = startProcess(request);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(times, PATIENCE).toBe(1);
  child.kill("SIGKILL");
  await ended;
}

async function outcomeIn(child: ChildProcess): Promise<CallOutcome | undefined> {
  const printed = child.stdout === null ? "" : await text(child.stdout);
  return (JSON.parse(printed) as CallOutcome[])[0];
}

describe("a call in a process that is killed", () => {
  test("has an unknown outcome when it writes, and is not repeated", async () => {
    const call = slowCall("write", { effects: "write" });
    await runAndKill(call);
    const first = await runtime.runCalls(call.request);
    const second = await runtime.runCalls(call.request);
    expect(first[0]).toMatchObject({
      status: "unknown",
      resultText:
        "outcome unknown: appendSlowly was started before an interruption and may or may not have happened; it is not repeated",
      cost: 5,
      replayed: true,
    });
    expect(second).toEqual(first);
    expect(call.times()).toBe(1);
  });

  test("is asked about when it writes and somebody can answer, and counts as answered", async () => {
    const [made, open] = ["made", "open"].map((name) => slowCall(name, { effects: "write" }));
    if (!made || !open) return;
    for (const call of [made, open]) await runAndKill(call);
    const asked = async ({ request }: typeof made) => {
      const [outcome] = await runtime.runCalls({ ...request, answers: [] });
      expect(outcome?.status).toBe("input");
      return outcome?.input?.[0];
    };
    const answered = async ({ request }: typeof made, content: InputAnswer["content"]) => {
      const { id = "" } = (await asked({ ...made, request })) ?? {};
      const answers = [{ id, action: "accept", content } as const];
      return (await runtime.runCalls({ ...request, answers }))[0];
    };
    expect((await asked(made))?.message).toMatch(/^Was appendSlowly \{"file":.* made\?/);
    const told = await answered(made, { made: true, result: '{"lines":1}' });
    expect(told).toMatchObject({ status: "done", result: { lines: 1 } });
    expect((await runtime.runCalls(made.request))[0]).toEqual(told);
    expect(made.times()).toBe(1);
    open.letGo();
    expect(await answered(open, { made: false })).toMatchObject({
      status: "done",
      replayed: false,
    });
    expect(open.times()).toBe(2);
  });

  test("is left unknown when whoever is asked declines", async () => {
    const call = slowCall("declined", { effects: "write" });
    await runAndKill(call);
    const [first] = await runtime.runCalls({ ...call.request, answers: [] });
    const answers = [{ id: first?.input?.[0]?.id ?? "", action: "decline" } as const];
    const [outcome] = await runtime.runCalls({ ...call.request, answers });
    expect(outcome).toMatchObject({ status: "unknown" });
    expect(call.times()).toBe(1);
  });

  test.each([
    { what: "found", read: "readLine", times: 1 },
    { what: "not found", read: "readNothing", times: 2 },
  ])(
    "is settled by the read that its tool names, when its write is $what",
    async ({ read, times }) => {
      const call = slowCall(`checked-${read}`, { effects: "write" });
      const [{ id, tool, args }] = call.request.calls as [(typeof call.request.calls)[0]];
      const checked = { ...tool, check: read };
      const request = { ...call.request, calls: [{ id, tool: checked, args }] };
      await runAndKill({ ...call, request });
      call.letGo();
      const reader = toolRecord(read, { properties: { file: TEXT }, effects: "read" });
      const library = { get: (wanted: string) => (wanted === read ? reader : undefined) };
      const [outcome] = await runtime.runCalls({ ...request, library, answers: [] });
      expect(outcome).toMatchObject({ status: "done" });
      expect(call.times()).toBe(times);
    },
  );

  test("is tried again when it only reads", async () => {
    const call = slowCall("read", { effects: "read" });
    await runAndKill(call);
    call.letGo();
    const [outcome] = await runtime.runCalls(call.request);
    expect(outcome).toMatchObject({ status: "done", result: "happened", replayed: false });
    expect(call.times()).toBe(2);
  });

  test("that had ended is answered from the journal", async () => {
    const call = slowCall("ended", { effects: "write" });
    call.letGo();
    const there = await outcomeIn(startProcess(call.request));
    const [here] = await runtime.runCalls(call.request);
    expect(there).toMatchObject({ status: "done", replayed: false });
    expect(here).toMatchObject({ ...there, replayed: true });
    expect(call.times()).toBe(1);
  });
});

/** A write in a file that takes until it is let go to be imported, and says when that begins. */
function slowlyImported(name: string) {
  const [file, begun, until] = ["tool.mjs", "begun", "end"].map((end) =>
    join(home, `${name}.${end}`),
  );
  writeFileSync(
    file ?? "",
    `import { appendFileSync, existsSync } from "node:fs";
     import { setTimeout as sleep } from "node:timers/promises";
     appendFileSync(${JSON.stringify(begun)}, "begun");
     while (!existsSync(${JSON.stringify(until)})) await sleep(20);
     export function append(line) {
       appendFileSync(${JSON.stringify(begun)}, line);
       return line;
     }`,
  );
  const tool = toolRecord("append", { properties: { line: TEXT }, source: { file } });
  const calls = [{ id: "call", tool, args: { line: ", written" } }];
  return {
    request: { threadId: name, timeoutMs: 600_000, calls },
    said: () => (existsSync(begun ?? "") ? readFileSync(begun ?? "", "utf8") : ""),
    letGo: () => writeFileSync(until ?? "", ""),
  };
}

describe("a write that was interrupted before its function began", () => {
  test("is made when its process was killed", async () => {
    const call = slowlyImported("import killed");
    const child = startProcess(call.request);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await expect.poll(call.said, PATIENCE).toBe("begun");
    child.kill("SIGKILL");
    await ended;
    call.letGo();
    const [outcome] = await runtime.runCalls(call.request);
    expect(outcome).toMatchObject({ status: "done", result: ", written", replayed: false });
    expect(call.said()).toBe("begunbegun, written");
  });

  test("is made when its run was cancelled, which leaves no doubt", async () => {
    const call = slowlyImported("import cancelled");
    const controller = new AbortController();
    const running = runtime.runCalls({ ...call.request, signal: controller.signal });
    await expect.poll(call.said, PATIENCE).toBe("begun");
    controller.abort();
    expect((await running)[0]).toMatchObject({
      status: "cancelled",
      error: "the run was cancelled",
    });
    call.letGo();
    const [outcome] = await runtime.runCalls(call.request);
    expect(outcome).toMatchObject({ status: "done", result: ", written" });
    expect(call.said()).toMatch(/^begun.*, written$/);
    expect(call.said().match(/written/g)).toHaveLength(1);
  });
});

describe("a call that runs in another process", () => {
  test("is waited for, and not made a second time", async () => {
    const call = slowCall("both", { effects: "write" });
    const child = startProcess(call.request);
    await expect.poll(call.times, PATIENCE).toBe(1);
    const begin = vi.spyOn(runtime.journal, "begin");
    const outcomes = runtime.runCalls(call.request);
    const answers = () =>
      begin.mock.settledResults.map(({ value }) => (value as Claim | undefined)?.kind);
    await expect.poll(answers, PATIENCE).toContain("running");
    call.letGo();
    const [[here], there] = await Promise.all([outcomes, outcomeIn(child)]);
    expect(there).toMatchObject({ status: "done", result: "happened", replayed: false });
    expect(here).toMatchObject({ status: "done", result: "happened", replayed: true });
    expect(call.times()).toBe(1);
  });

  test("has an unknown outcome when it takes longer than this process may wait", async () => {
    const call = slowCall("longer", { effects: "read" });
    const child = startProcess(call.request);
    await expect.poll(call.times, PATIENCE).toBe(1);
    const [outcome] = await runtime.runCalls({ ...call.request, timeoutMs: 300 });
    child.kill("SIGKILL");
    expect(outcome).toMatchObject({
      status: "unknown",
      error: "outcome unknown: appendSlowly still runs in another process",
    });
  });
});

describe("a call that was cancelled", () => {
  test.each([
    { effects: "write" as const, status: "unknown", times: 1 },
    { effects: "read" as const, status: "done", times: 2 },
  ])("and $effects is $status when the run goes on", async ({ effects, status, times }) => {
    const call = slowCall(`cancelled ${effects}`, { effects });
    const controller = new AbortController();
    const running = runtime.runCalls({ ...call.request, signal: controller.signal });
    await expect.poll(call.times, PATIENCE).toBe(1);
    controller.abort();
    expect((await running)[0]?.status).toBe("cancelled");
    call.letGo();
    const [resumed] = await runtime.runCalls(call.request);
    expect(resumed?.status).toBe(status);
    expect(call.times()).toBe(times);
  });
});
