import { oneLine } from "../../common/errors.js";
import { verifyPlan } from "../../plans/steps/verifyPlan.js";
import type { PlanIssue } from "../../plans/steps/plan.js";
import { readSettings } from "../../state/settings.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import { needed, type Line, type StageChange, stage } from "../shared/stage.js";
import { type ToolOffer, offeredTools } from "../shared/offeredTools.js";
import { repairLines } from "./planLines.js";
import { planTools } from "../shared/modelView.js";

/**
 * Checks the plan against the tools on offer: types, schemas, order, and whether the budget pays for all of it.
 * Fixes what it can without a model; the rest becomes the plan's issues.
 *
 * @param options.mergeReads whether equal reads become one; not if the plan is compared as written
 */
export function checkPlan({ mergeReads = true }: { mergeReads?: boolean } = {}) {
  return stage({ lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "checkPlan", what: "a plan" });
    const offer = await offeredTools({ state, settings: readSettings(config) });
    const checked = verifyPlan({ plan, tools: planTools(offer.offered), mergeReads });
    return {
      plan: {
        ...plan,
        ...checked.plan,
        repairs: [...plan.repairs, ...checked.repairs],
        issues: [...checked.issues, ...budgetIssues(state, checked.plan, offer)],
      },
    };
  });
}

/** A plan the budget cannot pay for in full would stop halfway. */
function budgetIssues(
  state: GraphState,
  { steps }: { steps: readonly { tool: string }[] },
  { prices }: ToolOffer,
): PlanIssue[] {
  if (!state.ledger?.enforced) return [];
  const cost = steps.reduce((sum, { tool }) => sum + (prices[tool] ?? 0), 0);
  const left = leftOf(state);
  if (cost <= left) return [];
  const problem = `its calls cost ${cost} in all, and ${left} of the budget is left`;
  return [{ kind: "budget", problem }];
}

/** What was fixed, and what is left to fix. */
function lines({ change: { plan }, before }: StageChange): Line[] {
  if (!plan) return [];
  return [
    ...repairLines(plan.repairs.slice(before.plan?.repairs.length)),
    ...plan.issues.map(({ problem }) => `to be mended: ${oneLine(problem)}`),
  ];
}
