import { commonCount, goldTools, isSubsequence, outsideWorlds, solutionOf } from "./solution.js";
import type { Score, Scored, Scores } from "./scorer.js";

/**
 * Which tools were called, whatever their arguments. Undefined for tasks that need none. In a world, where gold calls are
 * only those that change something and lookups are free, scores that count other calls are undefined, too.
 */
export const TOOL_SCORES = {
  toolPrecision: outsideWorlds(
    ofTools(({ common, called }) => (called.length === 0 ? 0 : common / called.length)),
  ),
  toolRecall: ofTools(({ common, gold }) => common / gold.length),
  toolF1: outsideWorlds(
    ofTools(({ common, called, gold }) => (2 * common) / (called.length + gold.length)),
  ),
  toolMatch: outsideWorlds(
    ofTools(({ common, called, gold }) =>
      Number(common === gold.length && common === called.length),
    ),
  ),
  sequenceMatch: ({ task, run }) => {
    const gold = (task.calls ?? []).map(({ tool }) => tool);
    const called = solutionOf(run).calls.map(({ tool }) => tool);
    return gold.length === 0 ? undefined : Number(isSubsequence(gold, called));
  },
  irrelevance: irrelevance,
} satisfies Scores;

interface ToolCounts {
  called: string[];
  gold: string[];
  common: number;
}

function ofTools(score: (counts: ToolCounts) => number): Score {
  return ({ task, run }) => {
    const gold = goldTools(task);
    if (gold.length === 0) return undefined;
    const called = solutionOf(run).calls.map(({ tool }) => tool);
    return score({ called, gold, common: commonCount(called, gold) });
  };
}

function irrelevance({ task, run, benchmark }: Scored): number | undefined {
  // A task that says what must not happen lets calls be made.
  if (goldTools(task).length > 0 || task.mustNot || task.callsUnsaid) return undefined;
  const { calls, isPlanned } = solutionOf(run);
  if (!benchmark.world) return Number(calls.length === 0);
  // Nobody knows what a mere plan would change.
  if (isPlanned) return undefined;
  return run.stateDiff && Number(Object.keys(run.stateDiff).length === 0);
}
