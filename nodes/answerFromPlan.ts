import { answerText } from "../plans/answerText.js";
import { solutionText } from "../plans/solutionText.js";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { readContext } from "../state/context.js";
import type { GraphState, PlanState, StateUpdate } from "../state/state.js";
import { leavePlan } from "./leavePlan.js";
import { nameIn } from "./planTools.js";
import { stepOutputs } from "./planOutputs.js";
import { toolsAtHand } from "./toolsAtHand.js";

/**
 * The end of a plan.
 *
 * @param options.as `text`: the plan was followed, and its answer is filled in with what its steps have
 * given; an answer that cannot be filled in, or was left to be worded, leaves the plan for `act` ·
 * `solution`: nothing was called, and the plan itself is the answer ("AI Agent 007"); an empty one, or one
 * with faults that were not mended, is no solution
 */
export function answerFromPlan({ as }: { as: "text" | "solution" }) {
  return async function answerFromPlan(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const { plan } = state;
    if (!plan) return {};
    if (as === "text") return answerInText(plan, state);
    const { offered } = await toolsAtHand({ state, context: readContext(config) });
    return solution(plan, nameIn(offered));
  };
}

function answerInText(plan: PlanState, state: GraphState): StateUpdate {
  const filled = answerText({ plan, outputs: stepOutputs(plan, state) });
  if ("issue" in filled) return leavePlan(state, { plan, reason: filled.issue.problem });
  const text = filled.text.trim();
  const isEmpty = plan.steps.length === 0 && plan.lacking.length > 0;
  if (!text && !isEmpty)
    return leavePlan(state, { plan, reason: "the answer has to be put into words" });
  if (plan.lacking.length === 0) return { status: "solved", answer: text };
  const missing = `Not done, for lack of a tool: ${plan.lacking.join("; ")}.`;
  return { status: "unsolved", answer: `${text} ${missing}`.trim() };
}

function solution({ steps, issues }: PlanState, nameOf: (tool: string) => string): StateUpdate {
  const named = steps.map((step) => ({ ...step, tool: nameOf(step.tool) }));
  const isSolution = steps.length > 0 && issues.length === 0;
  return { status: isSolution ? "solved" : "unsolved", answer: solutionText({ steps: named }) };
}
