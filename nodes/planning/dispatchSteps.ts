import { randomUUID } from "node:crypto";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { fillArguments } from "../../plans/fillArguments.js";
import { stepsInOrder } from "../../plans/stepsInOrder.js";
import { readContext } from "../../state/context.js";
import type { GraphState, PlanState, StateUpdate } from "../../state/state.js";
import { resultProblem } from "../../tools/runtime/resultProblem.js";
import { wholeResult } from "../../workspace/wholeResult.js";
import { needed } from "../shared/needed.js";
import { type NamedTools, nameIn, planTools } from "../shared/modelView.js";
import { stage } from "../shared/stage.js";
import { offeredTools, plannableTools } from "../shared/offeredTools.js";
import { STEP_CALL, leavePlan, stepCalls, stepOutputs } from "./followedPlan.js";
import { leavingLines } from "./planLines.js";

/**
 * Calls the next steps of a plan: all whose inputs are known, with earlier results filled into their arguments.
 * No model is involved, but the calls still become an agent message, so that `execute` runs them under the
 * usual guards and the conversation records them. The plan is abandoned if a step failed, returned something
 * its tool does not declare, or was to be looked at; nothing is done twice.
 */
export function dispatchSteps() {
  return stage({ lines: leavingLines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "dispatchSteps", what: "a plan" });
    const known = plannableTools(await offeredTools({ state, context: readContext(config) }));
    const reason = reasonToLeave({ plan, state, known });
    if (reason) return leavePlan(state, { plan, reason });
    const waves = stepsInOrder({ plan, tools: planTools(known) });
    const wave = waves.find((steps) => steps.some((at) => !plan.callIds[at]));
    return wave ? callsFor({ wave, plan, state, known }) : {};
  });
}

function callsFor(options: {
  wave: readonly number[];
  plan: PlanState;
  state: GraphState;
  known: NamedTools;
}): StateUpdate {
  const { wave, plan, state, known } = options;
  const nameOf = nameIn(known);
  const outputs = stepOutputs(plan, state);
  const calls: (ToolCall & { id: string })[] = [];
  for (const [at, { tool, args }] of stepsOf(plan, wave)) {
    const filled = fillArguments({ step: at, args, outputs });
    if ("issue" in filled) return leavePlan(state, { plan, reason: filled.issue.problem });
    const id = callId({ runId: state.run.id, plan, at });
    calls.push({ id, name: nameOf(tool), args: filled.args, type: "tool_call" });
  }
  const ids = new Map(wave.map((at, index) => [at, calls[index]?.id ?? ""]));
  return {
    messages: [new AIMessage({ id: randomUUID(), content: "", tool_calls: calls })],
    plan: { ...plan, callIds: plan.callIds.map((id, at) => ids.get(at) ?? id) },
  };
}

function stepsOf({ steps }: PlanState, wave: readonly number[]) {
  return [...steps.entries()].filter(([at]) => wave.includes(at));
}

/** Fixed before the call is made, so the journal recognises it; at most 40 characters, as providers require. */
function callId(options: { runId: string; plan: PlanState; at: number }): string {
  const { runId, plan, at } = options;
  return `${STEP_CALL}${runId.replaceAll("-", "").slice(0, 20)}_${plan.cues.length}_${at}`;
}

/** Why the plan cannot be followed further; empty if it can. */
function reasonToLeave(options: { plan: PlanState; state: GraphState; known: NamedTools }): string {
  const { plan, state, known } = options;
  if (plan.left) return plan.left;
  const [issue] = plan.issues;
  if (issue) return `the plan has a fault that was not mended: ${issue.problem}`;
  const records = new Map([...known.values()].map((record) => [record.id, record]));
  for (const [at, call] of stepCalls(plan, state).entries()) {
    const step = plan.steps[at];
    if (!call || !step) continue;
    if (call.error !== undefined) return `step ${at}, ${call.tool}, has failed`;
    const record = records.get(call.tool);
    const problem = record && resultProblem({ record, result: wholeResult(call) });
    if (problem) return `step ${at}, ${call.tool}, is not to be relied on: ${problem}`;
    if (step.lookAtResult) return `what comes next depends on the result of step ${at}`;
  }
  return "";
}
