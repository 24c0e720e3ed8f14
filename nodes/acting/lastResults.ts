import { leavesOf } from "../../plans/leaves.js";
import { referencesIn } from "../../plans/references.js";
import { wholeResult } from "../../workspace/wholeResult.js";
import type { Call, PlanState } from "../../state/state.js";

/** Steps of a plan whose outputs no other step uses: what they give is what was asked for. */
export function lastSteps({ steps }: Pick<PlanState, "steps">): number[] {
  const used = new Set(steps.flatMap(({ args }) => referencesIn(args).map(({ $prev }) => $prev)));
  return [...steps.keys()].filter((at) => !used.has(at));
}

/** Calls that went well and whose results no later call was given. */
export function lastCalls(calls: readonly Call[]): Call[] {
  const done = calls.filter(({ error, refused }) => error === undefined && !refused);
  return done.filter((call, at) => {
    const given = new Set(done.slice(at + 1).flatMap(({ args }) => leavesOf(args)));
    return !leavesOf(wholeResult(call)).some((leaf) => given.has(leaf));
  });
}
