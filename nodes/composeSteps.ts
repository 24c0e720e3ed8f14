import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { sameName } from "../plans/names.js";
import type { PlanStep, PlanTool } from "../plans/plan.js";
import { referencesIn, writeReference } from "../plans/references.js";
import { readPlan } from "../plans/readPlan.js";
import { composeStepPrompt } from "../prompts/composeStep.js";
import { NO_TOOL } from "../prompts/outline.js";
import { readContext } from "../state/context.js";
import { freshPlan } from "../state/plan.js";
import type { GraphState, PlanState, StateUpdate } from "../state/state.js";
import type { ToolRecord } from "../tools/tool.js";
import { askModel } from "./askModel.js";
import { nameIn, planTools } from "./planTools.js";
import { withPlainObjects } from "./readComposed.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { type NamedTools, shownTool } from "./shown.js";
import { situation } from "./situation.js";
import { stepsWithoutTool } from "./stepsWithoutTool.js";
import { toolsAtHand } from "./toolsAtHand.js";

/**
 * Asks a model for the call of the next task of the outline, under the schema of its one tool ("AI Agent
 * 007", alternate solution). A call that refers to its own or a later task, or to one without a tool, is asked
 * for again; all else is for `checkPlan` to mend.
 */
export async function composeStep(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { plan } = state;
  if (!plan) return {};
  const context = readContext(config);
  const { offered } = await toolsAtHand({ state, context });
  const position = plan.steps.length;
  const entry = toolOfTask(state, offered);
  if (!entry) return removedTool({ state, plan });
  const prompt = composeStepPrompt(
    {
      ...situation({ state, context }),
      position,
      tasks: tasksUpTo(state, { position, offered }),
      tool: shownTool(entry),
    },
    problemAt(state, "composeStep"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const step = readCall({
    text: reply.text,
    tools: planTools(new Map([entry])),
    usable: plan.steps.flatMap(({ tool }, at) => (tool === NO_TOOL ? [] : [at])),
  });
  if (typeof step === "string") {
    return repairOrEnd({ state, stage: "composeStep", problem: step, reply, usage });
  }
  return { plan: withStep({ state, plan, step }), repair: null, usage };
}

/** The tool of the next task by the name that the model knows; undefined where it is not there any more. */
function toolOfTask(
  { outline, plan }: GraphState,
  offered: NamedTools,
): [string, ToolRecord] | undefined {
  const wanted = outline[plan?.steps.length ?? 0]?.tool;
  return [...offered].find(([, { id }]) => id === wanted);
}

/** A tool that went while the plan was made: `checkPlan` says so. */
function removedTool({ state, plan }: { state: GraphState; plan: PlanState }): StateUpdate {
  const tool = state.outline[plan.steps.length]?.tool ?? NO_TOOL;
  return { plan: withStep({ state, plan, step: { tool, args: {} } }) };
}

function tasksUpTo(
  { outline }: GraphState,
  { position, offered }: { position: number; offered: NamedTools },
) {
  const nameOf = nameIn(offered);
  return outline
    .slice(0, position + 1)
    .map((task) => ({ ...task, tool: task.tool === "" ? NO_TOOL : nameOf(task.tool) }));
}

/** The one call that a reply is to be, or what the model is to be told. */
function readCall(options: {
  text: string;
  tools: PlanTool[];
  /** Positions of the tasks whose outputs are there. */
  usable: number[];
}): PlanStep | string {
  const { text, tools, usable } = options;
  const [tool] = tools;
  const { plan, issues } = readPlan(text, tools);
  const [step, ...others] = withPlainObjects(plan).steps;
  if (!tool || !step || others.length > 0) {
    const problems =
      issues.map(({ problem }) => problem).join("; ") || `${plan.steps.length} calls`;
    return `Your last reply was not one call: ${problems}. Reply with one JSON object with "tool_name" and "arguments".`;
  }
  const known = [tool.id, tool.name ?? tool.id];
  if (sameName(step.tool, [...new Set(known)]) === undefined && !known.includes(step.tool)) {
    return `Your last reply calls ${step.tool}; the call has to be one of ${tool.name ?? tool.id}.`;
  }
  const wrong = referencesIn(step.args).find(({ $prev }) => !usable.includes($prev));
  if (!wrong) return { ...step, tool: tool.id };
  const given = usable.length === 0 ? "none" : usable.map((at) => `$$PREV[${at}]`).join(", ");
  return `Your last reply refers to ${writeReference(wrong)}; the outputs that can be used are: ${given}.`;
}

function withStep(options: { state: GraphState; plan: PlanState; step: PlanStep }): PlanState {
  const { state, plan, step } = options;
  const steps = stepsWithoutTool({ steps: [...plan.steps, step], outline: state.outline });
  return freshPlan({ plan: { ...plan, steps }, repairs: plan.repairs });
}
