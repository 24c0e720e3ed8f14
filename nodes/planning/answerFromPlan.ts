import { answerText } from "../../plans/answerText.js";
import { groundedTemplate } from "../../plans/grounding/groundedTemplate.js";
import { referencesIn } from "../../plans/references.js";
import { solutionText } from "../../plans/solutionText.js";
import { type Context, readContext } from "../../state/context.js";
import type { GraphState, PlanState, StateUpdate } from "../../state/state.js";
import { knownTo } from "../shared/knownTo.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { needed } from "../shared/needed.js";
import { type Line, type StageChange, stage } from "../shared/stage.js";
import { offeredTools } from "../shared/offeredTools.js";
import { leavePlan, stepOutputs } from "./followedPlan.js";
import { leavingLines } from "./planLines.js";
import { nameIn } from "../shared/modelView.js";

/**
 * Gives the answer of a plan.
 *
 * @param options.as `text`: the plan was followed, and its answer is filled in with the results of its steps.
 * If it cannot be filled in, was left to be worded, or has values from neither the request nor a result, `act`
 * takes over · `solution`: nothing was called, and the plan itself is the answer ("AI Agent 007"), unless it is
 * empty or still faulty
 */
export function answerFromPlan({ as }: { as: "text" | "solution" }) {
  // A solution leads to the same stage in any case.
  return stage({ ends: as === "text", lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "answerFromPlan", what: "a plan" });
    const context = readContext(config);
    if (as === "text") return answerInText({ plan, state, context });
    const { offered } = await offeredTools({ state, context });
    return solution(plan, nameIn(offered));
  });
}

async function answerInText(options: {
  plan: PlanState;
  state: GraphState;
  context: Context;
}): Promise<StateUpdate> {
  const { plan, state } = options;
  const filled = await filledAnswer(options);
  if ("reason" in filled) return leavePlan(state, { plan, reason: filled.reason });
  const { text } = filled;
  if (plan.lacking.length === 0) return { status: "solved", answer: text };
  const missing = `Not done, for lack of a tool: ${plan.lacking.join("; ")}.`;
  return { status: "unsolved", answer: `${text} ${missing}`.trim() };
}

/** The answer with its references filled in, or why a model has to word it. */
async function filledAnswer(options: {
  plan: PlanState;
  state: GraphState;
  context: Context;
}): Promise<{ text: string } | { reason: string }> {
  const { plan, state, context } = options;
  const outputs = stepOutputs(plan, state);
  const planned = answerText({ plan, outputs });
  if ("issue" in planned) return { reason: planned.issue.problem };
  if (!planned.text.trim()) {
    const isEmpty = plan.steps.length === 0 && plan.lacking.length > 0;
    return isEmpty ? { text: "" } : { reason: "the answer has to be put into words" };
  }
  const last = await lastOf(plan, context);
  const template = groundedTemplate({ plan, outputs, known: knownTo({ state, context }), last });
  if ("reason" in template) return template;
  const filled =
    template.answer === plan.answer ? planned : answerText({ plan: template, outputs });
  return "issue" in filled ? { reason: filled.issue.problem } : { text: filled.text.trim() };
}

/** The steps that no other step uses, and whether they did something instead of looking something up. */
async function lastOf(
  plan: PlanState,
  context: Context,
): Promise<{ step: number; isWrite: boolean }[]> {
  const library = await runWorkspace().library(context);
  return lastSteps(plan).map((step) => {
    const tool = library.get(plan.steps[step]?.tool ?? "");
    return { step, isWrite: tool?.effects !== "read" };
  });
}

/** Steps of a plan whose outputs no other step uses: their outputs are what was asked for. */
function lastSteps({ steps }: Pick<PlanState, "steps">): number[] {
  const used = new Set(steps.flatMap(({ args }) => referencesIn(args).map(({ $prev }) => $prev)));
  return [...steps.keys()].filter((at) => !used.has(at));
}

function solution(plan: PlanState, nameOf: (tool: string) => string): StateUpdate {
  const isSolution = plan.steps.length > 0 && plan.issues.length === 0;
  return { status: isSolution ? "planned" : "unsolved", answer: solutionText(plan, { nameOf }) };
}

function lines(made: StageChange): Line[] {
  return made.change.answer ? ["answers"] : leavingLines(made);
}
