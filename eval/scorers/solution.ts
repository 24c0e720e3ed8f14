import { writtenValue } from "../../plans/steps/references.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { GoldCall, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Score } from "./scorer.js";

/** The solution of a run. */
export interface Solution {
  calls: readonly GoldCall[];
  /** The calls were only planned, with references in place of earlier results. */
  isPlanned: boolean;
}

/** The solution of a run: the calls that it carried out or, if its graph only plans, those of its final plan. */
export function solutionOf(run: Pick<RunRecord, "calls" | "plan" | "status">): Solution {
  const { calls, plan, status } = run;
  const hasEnded = status === "solved" || status === "planned" || status === "unsolved";
  const steps = plan && hasEnded ? plan.steps : [];
  const isPlanned = calls.length === 0 && steps.length > 0;
  return { calls: isPlanned ? steps.map(writtenCall) : executedCalls(run), isPlanned };
}

/**
 * The gold calls that a solution is compared with, including arguments. A plan cannot know earlier results, so it is
 * compared with the gold plan; undefined if there is none, unless there is at most one gold call, which depends on no
 * earlier one.
 */
export function goldFor({ calls, plan }: Task, { isPlanned }: Solution): GoldCall[] | undefined {
  if (!isPlanned) return calls;
  if (plan) return plan.steps.map(writtenCall);
  return calls && calls.length <= 1 ? calls : undefined;
}

function writtenCall({ tool, args }: NonNullable<Task["plan"]>["steps"][number]): GoldCall {
  return { tool, args: Object(writtenValue(args)) as GoldCall["args"] };
}

type Call = RunRecord["calls"][number];

/**
 * Calls that were carried out: refused, invalid and failed calls do nothing for the task, and control tools such as
 * `stop` belong to no task. The published evaluation of Tulip Agent counts both, so that a perfect run with one tool has
 * a precision of 0.5.
 */
function executedCalls({ calls }: Pick<RunRecord, "calls">): Call[] {
  return calls.filter(({ tool, error }) => error === undefined && !CONTROL_NAMES.includes(tool));
}

/** The tools of a right solution as a multiset: those of the gold calls if they are known. */
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

/** Whether `whole` contains all of `part` in the same order, possibly with others in between. */
export function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  return (
    whole.reduce((found, each) => (each === part[found] ? found + 1 : found), 0) === part.length
  );
}

/**
 * Leaves a score out if a world is compared: its gold calls are only those that change something, and lookups, which are
 * free, would count as superfluous.
 */
export function outsideWorlds(score: Score): Score {
  return (scored) => (scored.benchmark.world ? undefined : score(scored));
}
