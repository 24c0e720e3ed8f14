import { writtenValue } from "../../plans/steps/planText.js";
import type { GoldCall, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import { executedCalls } from "./goldCalls.js";

/** The solution of a run. */
export interface Solution {
  calls: readonly GoldCall[];
  /** The calls were only planned, with references in place of earlier results. */
  isPlanned: boolean;
}

/**
 * The solution of a run: the calls that it carried out or, if its graph only plans, those of its final plan.
 */
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

/** A step as a call, with references as texts. */
function writtenCall({ tool, args }: NonNullable<Task["plan"]>["steps"][number]): GoldCall {
  return { tool, args: Object(writtenValue(args)) as GoldCall["args"] };
}
