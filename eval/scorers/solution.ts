import { writtenValue } from "../../plans/solutionText.js";
import type { GoldCall, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import { executedCalls } from "./goldCalls.js";

/** What a run has come up with for its task. */
export interface Solution {
  calls: readonly GoldCall[];
  /** The calls were planned and nothing was carried out: earlier results stand there as references. */
  isPlanned: boolean;
}

/**
 * The solution of a run: the calls that it carried out, or, where its graph plans and carries nothing
 * out, those of the plan that it ended with. A plan that was to be followed is no solution.
 */
export function solutionOf(run: Pick<RunRecord, "calls" | "plan" | "status">): Solution {
  const { calls, plan, status } = run;
  const hasEnded = status === "solved" || status === "planned" || status === "unsolved";
  const steps = plan && !plan.left && hasEnded ? plan.steps : [];
  const isPlanned = calls.length === 0 && steps.length > 0;
  return { calls: isPlanned ? steps.map(writtenCall) : executedCalls(run), isPlanned };
}

/**
 * The gold calls as a solution of this kind has to have them, arguments included. A plan cannot know what
 * earlier calls give, so that it is held against the gold plan; undefined where there is none, unless
 * there is one gold call at most, which has no earlier ones.
 */
export function goldFor({ calls, plan }: Task, { isPlanned }: Solution): GoldCall[] | undefined {
  if (!isPlanned) return calls;
  if (plan) return plan.steps.map(writtenCall);
  return calls && calls.length <= 1 ? calls : undefined;
}

/** A step with its references as texts. */
function writtenCall({ tool, args }: NonNullable<Task["plan"]>["steps"][number]): GoldCall {
  return { tool, args: Object(writtenValue(args)) as GoldCall["args"] };
}
