import { CONTROL_NAMES } from "../../tools/control.js";
import type { Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Score } from "./scorer.js";

type Call = RunRecord["calls"][number];

/**
 * Calls of tools that were carried out: those that were refused, invalid or failed have done nothing
 * for the task, and control tools such as `stop` belong to no task. The published evaluation of
 * Tulip Agent counts both, so that a perfect run with one tool has a precision of 0.5.
 */
export function executedCalls({ calls }: Pick<RunRecord, "calls">): Call[] {
  return calls.filter(({ tool, error }) => error === undefined && !CONTROL_NAMES.includes(tool));
}

/** Tools that a right solution calls, as often as it does; where gold calls are known, theirs. */
export function goldTools({ tools, calls = [] }: Task): string[] {
  return calls.length > 0 ? calls.map(({ tool }) => tool) : tools;
}

/** Size of the intersection of two multisets. */
export function commonCount(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of a) left.set(each, (left.get(each) ?? 0) + 1);
  return b.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count > 0;
  }).length;
}

/** Whether all of `part` stands in `whole` in the same order, with or without others in between. */
export function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  return (
    whole.reduce((found, each) => (each === part[found] ? found + 1 : found), 0) === part.length
  );
}

/**
 * Leaves a score out where a world is compared: the gold calls are only those that change something,
 * so that a look-up, which is free, would count as a call too many.
 */
export function outsideWorlds(score: Score): Score {
  return (scored) => (scored.benchmark.world ? undefined : score(scored));
}
