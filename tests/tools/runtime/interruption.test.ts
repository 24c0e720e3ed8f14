import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallOutcome } from "../../../tools/runtime/outcome.js";
import { type ToolRuntime, createToolRuntime } from "../../../tools/runtime/runtime.js";
import type { ToolEffects } from "../../../tools/tool.js";
import { FIXTURE_PROGRAMS, NUMBER, TEXT, temporaryFolder, toolRecord } from "./support.js";

const home = temporaryFolder();
let runtime: ToolRuntime;
beforeAll(() => {
  runtime = createToolRuntime({ home });
});
afterAll(() => runtime.close());

/** A call that leaves a line in a file when it starts, and then takes its time. */
function slowCall(name: string, { effects, ms }: { effects: ToolEffects; ms: number }) {
  const file = join(home, `${name}.txt`);
  const tool = toolRecord("appendSlowly", {
    properties: { file: TEXT, line: TEXT, ms: NUMBER },
    effects,
    cost: 5,
  });
  const request = {
    threadId: name,
    timeoutMs: 60_000,
    calls: [{ id: "call", tool, args: { file, line: "happened", ms } }],
  };
  const times = () =>
    existsSync(file) ? readFileSync(file, "utf8").match(/happened/g)?.length : 0;
  return { request, times };
}

function startProcess(request: object): ChildProcess {
  const script = join(FIXTURE_PROGRAMS, "runOnce.ts");
  const args = ["--import", "tsx", script, JSON.stringify({ home, ...request })];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

async function runAndKill({ request, times }: ReturnType<typeof slowCall>): Promise<void> {
  const child = startProcess(request);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(times, { timeout: 25_000 }).toBe(1);
  child.kill("SIGKILL");
  await ended;
}

async function outcomeIn(child: ChildProcess): Promise<CallOutcome | undefined> {
  const printed = child.stdout === null ? "" : await text(child.stdout);
  return (JSON.parse(printed) as CallOutcome[])[0];
}

describe("a call in a process that is killed", () => {
  test("has an unknown outcome when it writes, and is not repeated", async () => {
    const call = slowCall("write", { effects: "write", ms: 600_000 });
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

  test("is tried again when it only reads", async () => {
    const call = slowCall("read", { effects: "read", ms: 3_000 });
    await runAndKill(call);
    const [outcome] = await runtime.runCalls(call.request);
    expect(outcome).toMatchObject({ status: "done", result: "happened", replayed: false });
    expect(call.times()).toBe(2);
  });

  test("that had ended is answered from the journal", async () => {
    const call = slowCall("ended", { effects: "write", ms: 1 });
    const there = await outcomeIn(startProcess(call.request));
    const [here] = await runtime.runCalls(call.request);
    expect(there).toMatchObject({ status: "done", replayed: false });
    expect(here).toMatchObject({ ...there, replayed: true });
    expect(call.times()).toBe(1);
  });
});

describe("a call that runs in another process", () => {
  test("is waited for and not made a second time", async () => {
    const call = slowCall("both", { effects: "write", ms: 2_000 });
    const child = startProcess(call.request);
    await expect.poll(call.times, { timeout: 25_000 }).toBe(1);
    const [[here], there] = await Promise.all([runtime.runCalls(call.request), outcomeIn(child)]);
    expect(there).toMatchObject({ status: "done", result: "happened", replayed: false });
    expect(here).toMatchObject({ status: "done", result: "happened", replayed: true });
    expect(call.times()).toBe(1);
  });

  test("is of unknown outcome when it takes longer than this one's time", async () => {
    const call = slowCall("longer", { effects: "read", ms: 600_000 });
    const child = startProcess(call.request);
    await expect.poll(call.times, { timeout: 25_000 }).toBe(1);
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
    const call = slowCall(`cancelled ${effects}`, { effects, ms: 2_000 });
    const controller = new AbortController();
    const running = runtime.runCalls({ ...call.request, signal: controller.signal });
    await expect.poll(call.times, { timeout: 25_000 }).toBe(1);
    controller.abort();
    expect((await running)[0]?.status).toBe("cancelled");
    const [resumed] = await runtime.runCalls(call.request);
    expect(resumed?.status).toBe(status);
    expect(call.times()).toBe(times);
  });

  test("by closing the runtime is ended and left as interrupted", async () => {
    const other = createToolRuntime({ home });
    const call = slowCall("closed", { effects: "write", ms: 600_000 });
    const running = other.runCalls(call.request);
    await expect.poll(call.times, { timeout: 25_000 }).toBe(1);
    await other.close();
    expect((await running)[0]?.status).toBe("cancelled");
    expect((await runtime.runCalls(call.request))[0]?.status).toBe("unknown");
  });
});

describe("a process whose calls have ended", () => {
  test("ends by itself, although it has idle threads", async () => {
    const call = slowCall("idle", { effects: "read", ms: 1 });
    const child = startProcess(call.request);
    const code = new Promise((resolve) => child.once("exit", resolve));
    await outcomeIn(child);
    expect(await code).toBe(0);
  });
});
