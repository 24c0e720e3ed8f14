import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { checkPlan as check } from "../../plans/checkPlan.js";
import type { PlanIssue } from "../../plans/plan.js";
import { readContext } from "../../state/context.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { planTools } from "./planTools.js";
import { type ToolsAtHand, toolsAtHand } from "../shared/toolsAtHand.js";

/**
 * Checks the plan against the tools on offer: types, schemas and order, and whether the budget allows all
 * of it. Whatever can be mended without a model is mended; the rest stands in its issues.
 *
 * @param options.mergeReads calls that read the same become one; not where the plan is compared as written
 */
export function checkPlan({ mergeReads = true }: { mergeReads?: boolean } = {}) {
  return async function checkPlan(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const { plan } = state;
    if (!plan) return {};
    const atHand = await toolsAtHand({ state, context: readContext(config) });
    const checked = check({ plan, tools: planTools(atHand.offered), mergeReads });
    return {
      plan: {
        ...plan,
        ...checked.plan,
        repairs: [...plan.repairs, ...checked.repairs],
        issues: [...checked.issues, ...budgetIssues(state, checked.plan, atHand)],
      },
    };
  };
}

/** A plan that cannot be paid for to its end would only be paid for in part. */
function budgetIssues(
  state: GraphState,
  { steps }: { steps: readonly { tool: string }[] },
  { prices }: ToolsAtHand,
): PlanIssue[] {
  if (!state.ledger?.enforced) return [];
  const cost = steps.reduce((sum, { tool }) => sum + (prices[tool] ?? 0), 0);
  const left = leftOf(state);
  if (cost <= left) return [];
  const problem = `its calls cost ${cost} in all, and ${left} of the budget is left`;
  return [{ kind: "budget", problem }];
}
