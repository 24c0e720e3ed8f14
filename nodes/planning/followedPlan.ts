import type { StepOutputs } from "../../plans/fillArguments.js";
import type { Call, GraphState, PlanState, StateUpdate } from "../../state/state.js";
import { wholeResult } from "../../workspace/wholeResult.js";

/** How the ids of calls begin that are made of the steps of a plan. */
export const STEP_CALL = "plan_";

/**
 * Ends the following of a plan where it is; what was done stays done. Calls that it was granted are granted
 * no longer: what is left of a budget is there for whatever comes instead.
 */
export function leavePlan(
  { ledger }: Pick<GraphState, "ledger">,
  { plan, reason }: { plan: PlanState; reason: string },
): StateUpdate {
  return {
    plan: { ...plan, left: reason },
    ...(ledger ? { ledger: { ...ledger, quotas: null } } : {}),
  };
}

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
