import type { Benchmark } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import { executedCalls } from "../scorers/goldCalls.js";
import { WORLD_SCORERS } from "../scorers/worldChange.js";
import { follow, isDone } from "./followSolution.js";
import type { GoldTask } from "./goldTask.js";

/** Why a run did not succeed; the first of these that holds. */
const FAILURES = [
  "broke off",
  "met a limit",
  "needed a tool that no search found",
  "left out gold calls",
  "changed the world otherwise",
  "said that it was not solved",
] as const;

export type Failure = (typeof FAILURES)[number];

/**
 * Judges whether a run succeeded: it made every gold call with its arguments, changed the benchmark's world (if
 * any) exactly as a right solution does, and ended as solved.
 *
 * @returns undefined for a success
 */
export function failureOf(options: {
  gold: GoldTask;
  run: RunRecord;
  benchmark: Pick<Benchmark, "argumentRule" | "world">;
}): Failure | undefined {
  const { gold, run, benchmark } = options;
  if (run.error !== undefined || run.status === "error") return "broke off";
  if (run.status === "limit") return "met a limit";
  if (!isDone(gold, follow(gold, executedCalls(run)))) {
    return lacksTool(gold, run) ? "needed a tool that no search found" : "left out gold calls";
  }
  const state = WORLD_SCORERS.find(({ id }) => id === "stateMatch");
  if (state?.score({ task: gold.task, run, benchmark }) === 0) return "changed the world otherwise";
  return run.status === "solved" ? undefined : "said that it was not solved";
}

/** Without a search, all tools were shown. */
function lacksTool({ plan }: GoldTask, { searches }: RunRecord): boolean {
  const found = new Set(searches.flatMap(({ hits }) => hits.map(({ tool }) => tool)));
  return searches.length > 0 && plan.steps.some(({ tool }) => !found.has(tool));
}
