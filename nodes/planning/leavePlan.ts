import type { GraphState, PlanState, StateUpdate } from "../../state/state.js";

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
