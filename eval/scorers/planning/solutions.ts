import type { GoldCall } from "../../benchmarks/benchmark.js";
import { executedCalls } from "../goldCalls.js";
import type { Score, Scored } from "../scorer.js";

/** The report whose scores of plans these are. */
export const AGENT_007 = 'Report "AI Agent 007"';

/** What a run did, and what it should have done. */
export interface Solutions {
  predicted: readonly GoldCall[];
  gold: readonly GoldCall[];
}

/** A score of a solution against the gold one; undefined for tasks whose gold calls are not known. */
export function ofSolutions(score: (solutions: Solutions) => number): Score {
  return (scored) => {
    const solutions = solutionsOf(scored);
    return solutions && score(solutions);
  };
}

/**
 * The calls that were carried out beside the gold calls. Where a world is compared, the gold calls are
 * often only those that change something; they are all there is where the gold is also known as a plan.
 */
function solutionsOf({ task, run, benchmark }: Scored): Solutions | undefined {
  const { calls: gold, plan } = task;
  const isWhole = gold !== undefined && (!benchmark.world || plan !== undefined);
  return isWhole ? { predicted: executedCalls(run), gold } : undefined;
}
