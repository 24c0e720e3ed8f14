import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import { LONG_WORK, type LongWork } from "../../../common/longWork.js";
import { type Batch, runBatch } from "../../../eval/runs/batch.js";
import { openExperimentFolder, readResults } from "../../../eval/runs/experimentFolder.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { AttemptLost, type RunRequest, type RunState } from "../../../eval/runs/runner.js";
import { ModelFailed } from "../../../common/errors.js";
import { freshPlan } from "../../../state/plan.js";
import { freshProgram } from "../../../state/program.js";
import { NOTHING_USED } from "../../../state/state.js";
import { experimentWith, plannedRun, solvedState, temporaryFolder } from "./support.js";

/** A batch of runs "a", "b", … with this runner. */
function batchOf(options: {
  ids: string[];
  folder?: string;
  run: (request: RunRequest) => Promise<RunState> | RunState;
  changes?: Partial<Batch>;
  settings?: Record<string, unknown>;
}) {
  const { ids, folder = temporaryFolder(), run, changes, settings } = options;
  const requests: RunRequest[] = [];
  const opened = openExperimentFolder({ folder, experiment: experimentWith(), tasks: [] });
  onTestFinished(() => opened.close());
  const batch: Batch = {
    planned: ids.map((id) => plannedRun(id, settings)),
    folder: opened,
    runner: {
      run: async (request) => {
        requests.push(request);
        return await run(request);
      },
    },
    concurrency: 1,
    signal: new AbortController().signal,
    ...changes,
  };
  return {
    folder,
    requests,
    close: () => opened.close(),
    keys: () => requests.map(({ threadKey }) => threadKey),
    end: () => runBatch(batch),
    records: () => readResults(folder).records,
  };
}

describe("a batch", () => {
  it("writes down the plan and the program of a run that made one, in a form that can be read again", async () => {
    const reference = { $prev: 0, path: ["items", 2] };
    const plan: NonNullable<RunRecord["plan"]> = {
      steps: [{ tool: "sum", args: { of: [reference, { $text: ["no. ", reference] }] } }],
      answer: "It is $$PREV[0].",
      issues: [{ kind: "answer", problem: "it refers to nothing" }],
    };
    const program: NonNullable<RunRecord["program"]> = {
      code: "return (await list()).length;",
      repairs: ["line 1: await was missing"],
      issues: [{ kind: "type", line: 1, problem: "no list" }],
      left: "line 1: list has failed",
    };
    const { values } = solvedState();
    const made = {
      ...values,
      plan: { ...freshPlan({ plan, repairs: [] }), ...plan },
      program: freshProgram({ ...program, today: "2026-03-01" }, null),
    };
    const batch = batchOf({
      ids: ["a", "b"],
      run: ({ threadKey }) => solvedState(threadKey === "a" ? { values: made } : {}),
    });
    await batch.end();
    const records = batch.records();
    expect(records.map((each) => each.plan)).toStrictEqual([plan, undefined]);
    expect(records.map((each) => each.program)).toStrictEqual([program, undefined]);
  });

  it("does not repeat what has a result, when it is started again", async () => {
    const first = batchOf({ ids: ["a"], run: () => solvedState() });
    await first.end();
    first.close();
    const again = batchOf({ ids: ["a", "b"], folder: first.folder, run: () => solvedState() });
    const told: string[] = [];
    const listener = (work: unknown) => {
      const { done, total, unit, note } = work as LongWork;
      told.push(`${done}/${total} ${unit}, ${note}`);
    };
    subscribe(LONG_WORK, listener);
    await again.end();
    unsubscribe(LONG_WORK, listener);
    expect(again.keys()).toEqual(["b"]);
    expect(told.at(-1)).toBe("1/1 runs, $0.0000");
  });

  it("tries a run that broke off again at the next start, as a further attempt", async () => {
    const failure = new ModelFailed({ model: "a:b", problem: "is down" });
    const first = batchOf({ ids: ["a"], run: () => ({ ...solvedState(), values: {}, failure }) });
    expect(await first.end()).toEqual({ kind: "done" });
    first.close();
    expect(first.records()).toMatchObject([{ status: "error", error: "model a:b: is down" }]);
    const again = batchOf({ ids: ["a"], folder: first.folder, run: () => solvedState() });
    await again.end();
    expect(again.keys()).toEqual(["a | attempt 2"]);
    expect(again.records().map(({ attempt, status }) => ({ attempt, status }))).toEqual([
      { attempt: 1, status: "error" },
      { attempt: 2, status: "solved" },
    ]);
  });

  it("begins a marked new attempt where a run cannot be continued", async () => {
    const batch = batchOf({
      ids: ["a"],
      run: ({ threadKey }) => {
        if (threadKey === "a") throw new AttemptLost("broken off while send was running", "a");
        return solvedState();
      },
    });
    await batch.end();
    expect(batch.records()).toMatchObject([
      { attempt: 1, status: "error", error: "broken off while send was running", threadId: "a" },
      { attempt: 2, status: "solved" },
    ]);
  });

  it("leaves a run to the next start whose every attempt is lost", async () => {
    const batch = batchOf({
      ids: ["a"],
      run: ({ threadKey }) => {
        throw new AttemptLost("broken off", threadKey);
      },
    });
    expect(await batch.end()).toEqual({ kind: "done" });
    expect(batch.records().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  });

  it("waits as long as a provider asks for, and goes on with the same attempt", async () => {
    const overloaded = { retryAfterMs: 30 };
    const failure = new ModelFailed({ model: "a:b", problem: "too many requests", overloaded });
    const startedAt = performance.now();
    const batch = batchOf({
      ids: ["a"],
      run: () => (batch.requests.length < 3 ? { ...solvedState(), failure } : solvedState()),
    });
    await batch.end();
    expect(batch.keys()).toEqual(["a", "a", "a"]);
    expect(batch.records()).toMatchObject([{ attempt: 1, status: "solved" }]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  });

  it("ends when one run after another breaks off for the same reason", async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `run ${index}`);
    const failure = new ModelFailed({ model: "a:b", problem: "the key was refused" });
    const batch = batchOf({ ids, run: () => ({ ...solvedState(), failure }) });
    expect(await batch.end()).toEqual({
      kind: "failing",
      reason: "model a:b: the key was refused",
    });
    expect(batch.requests).toHaveLength(5);
  });

  it("stops before the next run once the money is spent, and counts runs that are under way", async () => {
    const usage = { ...NOTHING_USED, inputTokens: 1_000_000 };
    const batch = batchOf({
      ids: ["a", "b"],
      settings: { model: "openai:gpt-4.1-mini" },
      run: async ({ onUsage, signal }) => {
        onUsage?.(usage);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        signal.throwIfAborted();
        return solvedState();
      },
      changes: { maxUsd: 0.01 },
    });
    const end = await batch.end();
    expect(end).toMatchObject({ kind: "spent" });
    expect((end as { usd: number }).usd).toBeGreaterThan(0.01);
    expect(batch.requests).toHaveLength(1);
    expect(batch.records()).toEqual([]);
  });

  it("ends cleanly when it is cancelled: no half run is written down", async () => {
    const controller = new AbortController();
    const batch = batchOf({
      ids: ["a", "b"],
      run: async ({ signal }) => {
        controller.abort();
        signal.throwIfAborted();
        return solvedState();
      },
      changes: { signal: controller.signal },
    });
    expect(await batch.end()).toEqual({ kind: "cancelled" });
    expect(batch.records()).toEqual([]);
    expect(batch.requests).toHaveLength(1);
  });

  it("does not hide a fault of its own", async () => {
    const batch = batchOf({
      ids: ["a"],
      run: () => {
        throw new TypeError("no such thing");
      },
    });
    await expect(batch.end()).rejects.toThrow("no such thing");
  });
});
