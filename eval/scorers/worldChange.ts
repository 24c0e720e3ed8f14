import { compareMadeTools, MADE_TOOLS } from "../benchmarks/creation/compareMadeTools.js";
import { judgeRobot } from "../benchmarks/robot/judgeRobot.js";
import { sameWorkChange } from "../benchmarks/work/sameWorkChange.js";
import type { Scored, Scorer } from "./scorer.js";

const WORKBENCH = "Styles et al. 2024, WorkBench (arXiv:2405.00823)";

/** What a run did to the benchmark's world. Undefined if the task or the run has no change. */
export const WORLD_SCORERS: Scorer[] = [
  {
    id: "stateMatch",
    label: "Right outcome",
    definition:
      "1 if the run left the world exactly as a right solution does; where several are right, as any of them.",
    source: WORKBENCH,
    unit: "share",
    better: "higher",
    score: (scored) => {
      const change = compareChanges(scored);
      return change && Number(change.same);
    },
  },
  {
    id: "sideEffects",
    label: "Side effects",
    definition:
      "Rows, or things and words, that the run changed or said and a right solution does not, each counted once; the origin counts runs with any.",
    source: WORKBENCH,
    unit: "count",
    better: "lower",
    score: (scored) => compareChanges(scored)?.unwanted,
  },
];

/** How changes are compared, by name of the world. */
const COMPARISONS: Record<
  string,
  (expected: never, actual: never) => { same: boolean; unwanted: number }
> = {
  [MADE_TOOLS]: compareMadeTools,
  robot: judgeRobot,
  work: sameWorkChange,
};

/** @throws Error for a world without a comparison, which marks the run */
export function compareChanges({ task, run, benchmark: { world } }: Scored) {
  if (!world || !task.stateDiff || !run.stateDiff) return undefined;
  const compare = COMPARISONS[world.name];
  if (!compare) throw new Error(`no comparison for changes of the world "${world.name}"`);
  return compare(task.stateDiff as never, run.stateDiff as never);
}
