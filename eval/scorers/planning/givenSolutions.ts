import type { GoldCall } from "../../benchmarks/benchmark.js";
import type { Score, Scored } from "../scorer.js";
import { goldFor, solutionOf } from "../solution.js";

/** The report that defines these scores. */
export const AGENT_007 = 'Report "AI Agent 007"';

/** The solution of a run, and the gold one. */
export interface Solutions {
  predicted: readonly GoldCall[];
  /** For comparing tools. */
  gold: readonly GoldCall[];
  /** For comparing arguments; undefined for a plan if there is no gold plan. */
  goldArguments: readonly GoldCall[] | undefined;
}

/** A score that compares a solution with the gold one; undefined for tasks without gold calls. */
export function ofSolutions(score: (solutions: Solutions) => number | undefined): Score {
  return (scored) => {
    const solutions = solutionsOf(scored);
    return solutions && score(solutions);
  };
}

/**
 * The calls that were carried out or planned, and the gold calls. If a world is compared, the gold calls are often only
 * those that change something; they are complete if there is also a gold plan.
 */
function solutionsOf({ task, run, benchmark }: Scored): Solutions | undefined {
  const { calls: gold, plan } = task;
  const isWhole = gold !== undefined && (!benchmark.world || plan !== undefined);
  if (!isWhole) return undefined;
  const solution = solutionOf(run);
  return { predicted: solution.calls, gold, goldArguments: goldFor(task, solution) };
}
