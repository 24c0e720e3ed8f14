import type { StepOutputs } from "../../plans/fillArguments.js";
import type { Call, GraphState, PlanState, StateUpdate } from "../../state/state.js";
import { wholeResult } from "../../workspace/wholeResult.js";

/** Prefix of the ids of a plan's calls. */
export const STEP_CALL = "plan_";

/**
 * Abandons a plan where it is; what was done stays done. Its unused calls lapse, which frees the rest of the
 * budget.
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

/** The calls of a plan's steps, by position; undefined if none was made. */
export function stepCalls(plan: PlanState, { calls }: GraphState): (Call | undefined)[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return plan.callIds.map((id) => byId.get(id));
}

/** The full outputs of a plan's steps, by position. */
export function stepOutputs(plan: PlanState, state: GraphState): StepOutputs {
  const entries = stepCalls(plan, state).flatMap((call, at) =>
    call && call.error === undefined ? [[at, wholeResult(call)] as const] : [],
  );
  return Object.fromEntries(entries);
}
