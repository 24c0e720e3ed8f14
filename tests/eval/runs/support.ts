import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { Experiment, PlannedRun } from "../../../eval/runs/experiment.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import type { RunState } from "../../../eval/runs/runner.js";
import { NOTHING_USED } from "../../../state/state.js";
import { runOf } from "../scorers/support.js";

/** A folder for one test, removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-eval-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function taskNamed(id: string): Task {
  return { id, query: `What about ${id}?`, tools: [], level: "all" };
}

export function plannedRun(id: string, settings: Record<string, unknown> = {}): PlannedRun {
  return {
    id,
    task: taskNamed(id),
    graph: "base",
    variant: "",
    run: 1,
    settings: { model: "offline:planner", ...settings },
  };
}

export function experimentWith(changes: Partial<Experiment["definition"]> = {}): Experiment {
  return {
    id: "experiment",
    definition: {
      benchmark: { name: "b", source: "here", hash: "h", argumentRule: "equal", tools: 1 },
      tasks: ["t1"],
      graphs: ["base"],
      variants: [{ name: "", settings: {} }],
      runs: 1,
      settings: {},
      seed: 1,
      ...changes,
    },
    version: "0",
    startedAt: "2026-01-01T00:00:00.000Z",
  };
}

/** The end of a successful run. */
export function solvedState(changes: Partial<RunState> = {}): RunState {
  return {
    values: { status: "solved", answer: "42", usage: { ...NOTHING_USED, modelCalls: 1 } },
    stages: [],
    resumed: false,
    threadId: "thread",
    ...changes,
  };
}

export function recordOf(id: string, changes: Partial<RunRecord> = {}): RunRecord {
  return { ...runOf({ task: id, ...changes }), id };
}
