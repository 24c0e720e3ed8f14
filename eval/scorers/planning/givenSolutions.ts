import type { GoldCall } from "../../benchmarks/benchmark.js";
import type { Score, Scored } from "../scorer.js";
import { goldFor, solutionOf } from "../solution.js";

/** The report whose scores of plans these are. */
export const AGENT_007 = 'Report "AI Agent 007"';

/** What a run has come up with, and what it should have. */
export interface Solutions {
  predicted: readonly GoldCall[];
  /** For comparing tools. */
  gold: readonly GoldCall[];
  /** For comparing arguments, too; undefined where those of a plan have nothing to be compared with. */
  goldArguments: readonly GoldCall[] | undefined;
}

/** A score of a solution against the gold one; undefined for tasks whose gold calls are not known. */
export function ofSolutions(score: (solutions: Solutions) => number | undefined): Score {
  return (scored) => {
    const solutions = solutionsOf(scored);
    return solutions && score(solutions);
  };
}

/**
 * The calls that were carried out, or planned, beside the gold calls. Where a world is compared, the gold calls are
 * often only those that change something; they are all there is where the gold is also known as a plan.
 */
function solutionsOf({ task, run, benchmark }: Scored): Solutions | undefined {
  const { calls: gold, plan } = task;
  const isWhole = gold !== undefined && (!benchmark.world || plan !== undefined);
  if (!isWhole) return undefined;
  const solution = solutionOf(run);
  return { predicted: solution.calls, gold, goldArguments: goldFor(task, solution) };
}
