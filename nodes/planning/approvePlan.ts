import { z } from "zod";
import { callsText } from "../../budget/amountText.js";
import { oneLine } from "../../common/errors.js";
import { verifyPlan } from "../../plans/verifyPlan.js";
import type { PlanTool } from "../../plans/plan.js";
import { readPlan } from "../../plans/readPlan.js";
import { writtenValue } from "../../plans/solutionText.js";
import { type Context, readContext } from "../../state/context.js";
import { type PlanState, freshPlan } from "../../state/plan.js";
import type { StateUpdate } from "../../state/state.js";
import { askDecisions } from "../shared/askDecisions.js";
import { needed } from "../shared/needed.js";
import { type Line, type StageChange, stage } from "../shared/stage.js";
import { offeredTools } from "../shared/offeredTools.js";
import { planLines } from "./planLines.js";
import { planTools } from "../shared/modelView.js";

/** What a person decides about a plan. */
const planDecisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), plan: z.unknown() }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type PlanDecision = z.infer<typeof planDecisionSchema>;

/** What a waiting run shows a person: a plan of which nothing has run yet. */
export interface PlanApprovalRequest {
  kind: "plan";
  /** Its calls in order; references to outputs as texts, such as "$$PREV[0].id". */
  steps: {
    tool: string;
    args: unknown;
    effects: "read" | "write";
    /** The plan ends here; what comes next depends on the result of the call. */
    lookAtResult?: true;
  }[];
  /** The answer with references; empty if it is worded afterwards. */
  answer: string;
  /** Parts of the request left undone because no tool was found for them. */
  lacking: string[];
  /** What is wrong with the plan or decision that the person gave before, or empty. */
  problem: string;
}

/**
 * Shows a person a plan before any of it runs, if the setting `approval` is `plan`: pauses the run until it is
 * resumed with `new Command({ resume: { decisions: [decision] } })`. An approved plan, or one the person
 * supplies, runs without further questions. A rejection with a reason has the plan rewritten with the reason as
 * a cue; without one it ends the run.
 */
export function approvePlan() {
  return stage({ ends: true, lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "approvePlan", what: "a plan" });
    const context = readContext(config);
    if (context.approval !== "plan" || !isToBeAsked(plan)) return {};
    const { offered } = await offeredTools({ state, context });
    const tools = planTools(offered);
    let problem = "";
    while (true) {
      const decision = decisionOn(approvalRequest({ plan, tools, problem }));
      if (decision.type === "approve") return { plan: { ...plan, approved: true } };
      if (decision.type === "reject") return rejected({ plan, context, reason: decision.message });
      const own = checkOwn({ value: decision.plan, tools, plan });
      if (typeof own !== "string") return { plan: own };
      problem = own;
    }
  });
}

const PLAN_SCHEMA = {
  type: "object",
  properties: { steps: { type: "array", items: { type: "object" } }, answer: { type: "string" } },
  required: ["steps"],
};

function decisionOn(request: PlanApprovalRequest): PlanDecision {
  const { steps, answer } = request;
  const [decision] = askDecisions({
    request,
    actions: [
      {
        name: "run_plan",
        args: { steps, answer },
        description: `A plan of ${callsText(steps.length)}`,
        allowed: ["approve", "edit", "reject"],
        argsSchema: PLAN_SCHEMA,
      },
    ],
    edited: (plan) => ({ type: "edit", plan }),
    decisions: z.tuple([planDecisionSchema]),
    wanted: 'and no more than one; an edit has the whole "plan"',
  });
  return decision;
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
  const checked = read.issues.length > 0 ? read : verifyPlan({ plan: read.plan, tools });
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

/** What the person decided; nothing if nobody was asked. */
function lines({ change: { plan }, before }: StageChange): Line[] {
  if (!plan) return [];
  if (!plan.approved) return [`rejected: ${oneLine(plan.cues.at(-1) ?? "")}`];
  const isOther = saidBy(plan) !== saidBy(before.plan);
  return isOther ? ["approved with other steps:", ...planLines(plan)] : ["approved"];
}

function saidBy(plan: StageChange["before"]["plan"]): string {
  return JSON.stringify([plan?.steps, plan?.answer]);
}
