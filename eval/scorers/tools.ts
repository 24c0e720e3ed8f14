import type { GoldCall } from "../benchmarks/benchmark.js";
import type { Score, Scored, Scores } from "./scorer.js";
import { commonCount, goldTools, isSubsequence, outsideWorlds, solutionOf } from "./solution.js";

/**
 * Which tools were called, whatever their arguments. Undefined for tasks that need none. In a world, where gold calls are
 * only those that change something and lookups are free, scores that count other calls are undefined, too.
 */
export const TOOL_SCORES = {
  toolPrecision: outsideWorlds(
    ofTools(needed, ({ common, called }) => (called === 0 ? 0 : common / called)),
  ),
  toolRecall: ofTools(needed, ({ common, gold }) => common / gold),
  toolF1: outsideWorlds(
    ofTools(needed, ({ common, called, gold }) => (2 * common) / (called + gold)),
  ),
  toolMatch: outsideWorlds(
    ofTools(needed, ({ common, called, gold }) => Number(common === gold && common === called)),
  ),
  sequenceMatch: ({ task, run }) => {
    const gold = (task.calls ?? []).map(({ tool }) => tool);
    const called = solutionOf(run).calls.map(({ tool }) => tool);
    return gold.length === 0 ? undefined : Number(isSubsequence(gold, called));
  },
  irrelevance: irrelevance,
} satisfies Scores;

/**
 * Which tools a solution has. By the published definitions IR and NR add up to 1, but the published figures do not, so
 * they must follow another definition; toolRecall is NR as a share of the gold calls. Unlike precision and
 * recall, these scores also judge tasks that need no tool.
 */
export const TOOL_RATE_SCORES = {
  irrelevantRate: ofTools(told, ({ common, called }) => shareOf(called - common, called)),
  necessaryRate: ofTools(told, ({ common, called, gold }) =>
    called + gold === 0 ? 1 : shareOf(common, called),
  ),
  missingRate: ofTools(told, ({ common, gold }) => shareOf(gold - common, gold)),
} satisfies Scores;

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** A score of how many tools a solution has, how many the gold one has, and how many are common. */
function ofTools(
  goldOf: (scored: Scored) => readonly string[] | undefined,
  score: (counts: { called: number; gold: number; common: number }) => number,
): Score {
  return (scored) => {
    const gold = goldOf(scored);
    if (!gold) return undefined;
    const called = solutionOf(scored.run).calls.map(({ tool }) => tool);
    return score({ called: called.length, gold: gold.length, common: commonCount(called, gold) });
  };
}

function needed({ task }: Scored): string[] | undefined {
  const tools = goldTools(task);
  return tools.length > 0 ? tools : undefined;
}

function told(scored: Scored): string[] | undefined {
  return allGoldCalls(scored)?.map(({ tool }) => tool);
}

/**
 * The gold calls if they are all told. If a world is compared, they are often only those that change something; they are
 * complete if there is also a gold plan.
 */
export function allGoldCalls({ task, benchmark }: Scored): GoldCall[] | undefined {
  return benchmark.world && !task.plan ? undefined : task.calls;
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
