import { commonCount, goldTools, isSubsequence, outsideWorlds, solutionOf } from "./solution.js";
import type { Score, Scored, Scorer } from "./scorer.js";

const TULIP = "Ocker, Tanneberg, Eggert and Gienger 2024, Tulip Agent (arXiv:2407.21778)";

const COUNTED =
  "Control tools and calls that were refused or failed do not count; where a graph plans and carries nothing out, its plan does.";

/**
 * Which tools were called, whatever their arguments. Undefined for tasks that need none. In a world, where gold calls are
 * only those that change something and lookups are free, scores that count other calls are undefined, too.
 */
export const TOOL_SCORERS: Scorer[] = [
  {
    id: "toolPrecision",
    label: "Tool precision",
    definition: `Calls carried out that the task needs, as a share of all calls carried out, both as multisets of tools; 0 if there was none. ${COUNTED}`,
    source: TULIP,
    unit: "share",
    better: "higher",
    score: outsideWorlds(
      ofTools(({ common, called }) => (called.length === 0 ? 0 : common / called.length)),
    ),
  },
  {
    id: "toolRecall",
    label: "Tool recall",
    definition: `Calls carried out that the task needs, as a share of those that it needs, both as multisets of tools. ${COUNTED}`,
    source: TULIP,
    unit: "share",
    better: "higher",
    score: ofTools(({ common, gold }) => common / gold.length),
  },
  {
    id: "toolF1",
    label: "Tool F1",
    definition: "Harmonic mean of tool precision and tool recall of the run.",
    source: TULIP,
    unit: "share",
    better: "higher",
    score: outsideWorlds(
      ofTools(({ common, called, gold }) => (2 * common) / (called.length + gold.length)),
    ),
  },
  {
    id: "toolMatch",
    label: "Tools match",
    definition:
      "1 if the tools called are those that the task needs, as multisets: none too many, none too few.",
    unit: "share",
    better: "higher",
    score: outsideWorlds(
      ofTools(({ common, called, gold }) =>
        Number(common === gold.length && common === called.length),
      ),
    ),
  },
  {
    id: "sequenceMatch",
    label: "Call sequence",
    definition: `1 if the gold calls' tools were called in their order, with or without other calls in between. ${COUNTED}`,
    source: "Correct path rate: Song et al. 2023, RestGPT (arXiv:2306.06624)",
    unit: "share",
    better: "higher",
    score: ({ task, run }) => {
      const gold = (task.calls ?? []).map(({ tool }) => tool);
      const called = solutionOf(run).calls.map(({ tool }) => tool);
      return gold.length === 0 ? undefined : Number(isSubsequence(gold, called));
    },
  },
  {
    id: "irrelevance",
    label: "No needless call",
    definition:
      "For tasks that say that no tool fits (with an empty list of tools or calls): 1 if no call was carried out. In a world, where looking things up is free: 1 if nothing was changed.",
    source: "Irrelevance detection: Patil et al. 2025, Berkeley Function Calling Leaderboard",
    unit: "share",
    better: "higher",
    score: irrelevance,
  },
];

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
