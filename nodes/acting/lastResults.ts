import { referencesIn } from "../../plans/references.js";
import type { PlanState } from "../../state/state.js";

/** Steps of a plan whose outputs no other step uses: their outputs are what was asked for. */
export function lastSteps({ steps }: Pick<PlanState, "steps">): number[] {
  const used = new Set(steps.flatMap(({ args }) => referencesIn(args).map(({ $prev }) => $prev)));
  return [...steps.keys()].filter((at) => !used.has(at));
}
