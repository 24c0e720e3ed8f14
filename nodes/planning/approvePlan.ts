import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { checkPlan } from "../../plans/checkPlan.js";
import type { PlanTool } from "../../plans/plan.js";
import { readPlan } from "../../plans/readPlan.js";
import { writtenValue } from "../../plans/solutionText.js";
import { type Context, readContext } from "../../state/context.js";
import { type PlanState, freshPlan } from "../../state/plan.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { type PlanApprovalRequest, askPlanApproval } from "./planApproval.js";
import { planTools } from "./planTools.js";
import { toolsAtHand } from "../shared/toolsAtHand.js";

/**
 * Shows a plan to a person before any of it runs, where the setting `approval` is `plan`. One that is
 * approved, or given by the person itself, runs without a further question. One that is rejected with a
 * reason is written anew with that reason as a cue; one that is rejected without ends the run.
 */
export async function approvePlan(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { plan } = state;
  const context = readContext(config);
  if (!plan || context.approval !== "plan" || !isToBeAsked(plan)) return {};
  const { offered } = await toolsAtHand({ state, context });
  const tools = planTools(offered);
  let problem = "";
  while (true) {
    const decision = askPlanApproval(approvalRequest({ plan, tools, problem }));
    if (decision.type === "approve") return { plan: { ...plan, approved: true } };
    if (decision.type === "reject") return rejected({ plan, context, reason: decision.message });
    const own = checkOwn({ value: decision.plan, tools, plan });
    if (typeof own !== "string") return { plan: own };
    problem = own;
  }
}

function approvalRequest(options: {
  plan: PlanState;
  tools: PlanTool[];
  problem: string;
}): PlanApprovalRequest {
  const { plan, tools, problem } = options;
  const known = new Map(tools.map((tool) => [tool.id, tool]));
  return {
    kind: "plan",
    steps: plan.steps.map(({ tool, args, lookAtResult }) => ({
      tool: known.get(tool)?.name ?? tool,
      args: writtenValue(args),
      effects: known.get(tool)?.effects ?? "write",
      ...(lookAtResult ? { lookAtResult } : {}),
    })),
    answer: plan.answer,
    lacking: plan.lacking,
    problem,
  };
}

/** The person's own plan, or what is wrong with it. */
function checkOwn(options: {
  value: unknown;
  tools: PlanTool[];
  plan: PlanState;
}): PlanState | string {
  const { value, tools, plan } = options;
  const read = readPlan(value, tools);
  const checked = read.issues.length > 0 ? read : checkPlan({ plan: read.plan, tools });
  if (checked.issues.length > 0) return checked.issues.map(({ problem }) => problem).join("; ");
  return { ...freshPlan(checked, plan), approved: true };
}

function isToBeAsked({ approved, steps, issues }: PlanState): boolean {
  return !approved && steps.length > 0 && issues.length === 0;
}

function rejected(options: {
  plan: PlanState;
  context: Context;
  reason: string | undefined;
}): StateUpdate {
  const { plan, context, reason } = options;
  if (!reason || plan.cues.length >= context.maxReflections) {
    const why = reason ? `: ${reason}` : "";
    return {
      status: "unsolved",
      answer: `A person has rejected the plan${why}. Nothing was called.`,
    };
  }
  const issue = { kind: "rejected" as const, problem: "a person has rejected it" };
  return { plan: { ...plan, issues: [issue], cues: [...plan.cues, reason] } };
}
