import type { StepOutputs } from "../../plans/fillArguments.js";
import { wholeResult } from "../../workspace/wholeResult.js";
import type { Call, GraphState, PlanState } from "../../state/state.js";

/** The calls that were made of a plan's steps, by position; undefined where none was made. */
export function stepCalls(plan: PlanState, { calls }: GraphState): (Call | undefined)[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return plan.callIds.map((id) => byId.get(id));
}

/** What the steps of a plan have given, whole, by position. */
export function stepOutputs(plan: PlanState, state: GraphState): StepOutputs {
  const entries = stepCalls(plan, state).flatMap((call, at) =>
    call && call.error === undefined ? [[at, wholeResult(call)] as const] : [],
  );
  return Object.fromEntries(entries);
}
