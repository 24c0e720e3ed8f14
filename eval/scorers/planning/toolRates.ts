import { commonCount } from "../goldCalls.js";
import type { Score, Scorer } from "../scorer.js";
import { AGENT_007, ofSolutions } from "./givenSolutions.js";

const COMPARED =
  "Compared are the calls carried out, or planned where the graph carries nothing out, and the gold calls, both as multisets of tools";

/**
 * Which tools a solution has. By the published definitions IR and NR add up to 1, but the published figures do not, so
 * they must follow another definition; therefore NR is also computed as a share of the gold calls. Unlike precision and
 * recall, these scores also judge tasks that need no tool.
 */
export const TOOL_RATE_SCORERS: Scorer[] = [
  {
    id: "irrelevantRate",
    label: "Irrelevant tools (IR)",
    definition: `Calls that the task does not need, as a share of the solution's. ${COMPARED}; 0 for an empty solution.`,
    source: AGENT_007,
    unit: "share",
    better: "lower",
    score: ofTools(({ irrelevant, predicted }) => shareOf(irrelevant, predicted)),
  },
  {
    id: "necessaryRate",
    label: "Necessary tools (NR)",
    definition: `Calls that the task needs, as a share of the solution's. ${COMPARED}; 0 for an empty solution, 1 where an empty one is right.`,
    source: AGENT_007,
    unit: "share",
    better: "higher",
    score: ofTools(({ common, predicted, gold }) =>
      predicted + gold === 0 ? 1 : shareOf(common, predicted),
    ),
  },
  {
    id: "missingRate",
    label: "Missing tools (MR)",
    definition: `Gold calls that the solution lacks, as a share of the gold calls. ${COMPARED}; 0 for tasks that need none.`,
    source: AGENT_007,
    unit: "share",
    better: "lower",
    score: ofTools(({ missing, gold }) => shareOf(missing, gold)),
  },
  {
    id: "necessaryOfGold",
    label: "Necessary tools of the gold (NR gold)",
    definition: `Gold calls that the solution has, as a share of the gold calls. ${COMPARED}; 1 for tasks that need none.`,
    unit: "share",
    better: "higher",
    score: ofTools(({ common, gold }) => (gold === 0 ? 1 : common / gold)),
  },
  {
    id: "hasIrrelevant",
    label: "Any irrelevant tool",
    definition: `1 if the solution has a call that the task does not need. ${COMPARED}.`,
    unit: "share",
    better: "lower",
    score: ofTools(({ irrelevant }) => Number(irrelevant > 0)),
  },
  {
    id: "hasAllNecessary",
    label: "All necessary tools",
    definition: `1 if the solution lacks none of the gold calls. ${COMPARED}.`,
    unit: "share",
    better: "higher",
    score: ofTools(({ missing }) => Number(missing === 0)),
  },
];

/** Numbers of calls. */
interface ToolCounts {
  predicted: number;
  gold: number;
  common: number;
  irrelevant: number;
  missing: number;
}

function ofTools(score: (counts: ToolCounts) => number): Score {
  return ofSolutions((solutions) => {
    const [predicted, gold] = [solutions.predicted, solutions.gold].map((calls) =>
      calls.map(({ tool }) => tool),
    ) as [string[], string[]];
    const common = commonCount(predicted, gold);
    return score({
      predicted: predicted.length,
      gold: gold.length,
      common,
      irrelevant: predicted.length - common,
      missing: gold.length - common,
    });
  });
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
