import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { composePrompt } from "./composePrompt.js";
import type { ComposeInput, ComposeStyle } from "../shared/stageInputs.js";
import { writtenPlan } from "./writtenPlan.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import { type PlanState, freshPlan } from "../../state/plan.js";
import { type GraphState, type StateUpdate, unservedTasks } from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { searchedFor, searchesFor } from "./lackedTools.js";
import { nameIn, planTools } from "./planTools.js";
import { readComposed } from "./readComposed.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { shownDemonstrations, shownTool, toldBudget } from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { type ToolsAtHand, toolsAtHand } from "../shared/toolsAtHand.js";

/**
 * Asks a model for a whole plan in one reply ("AI Agent 007"), before anything runs. What is wrong with
 * the calls is for `checkPlan` to say; only a reply that cannot be read is asked for again here.
 *
 * @param options.style how the plan is asked for and written
 * @param options.executed the plan is to be followed: what it lacks a tool for is queued to be searched
 * for, tools that it knows by name are there for it, and a model whose replies are no plan goes on without one
 */
export function compose({ style, executed = false }: { style: ComposeStyle; executed?: boolean }) {
  return async function compose(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const context = readContext(config);
    const atHand = await toolsAtHand({ state, context });
    const input = {
      ...composeInput({ state, context, atHand, style }),
      ...(executed ? { searched: searchedFor(state) } : {}),
    };
    const { instructions } = context;
    const prompt = composePrompt(input, { instructions, problem: problemAt(state, "compose") });
    const asked = await askModel(state, { prompt, context, config });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const tools = planTools(atHand.offered);
    const read = await readComposed({ reply, tools, style });
    if ("problem" in read) {
      const { problem } = read;
      const isWriter = executed && reply.text.trim() !== "";
      const instead = isWriter ? { plan: NO_PLAN } : undefined;
      return repairOrEnd({ state, stage: "compose", problem, reply, usage, instead });
    }
    const plan = freshPlan(read, state.plan ?? {});
    return {
      plan,
      repair: null,
      usage,
      ...(executed ? await toolsFor({ state, context, plan }) : {}),
    };
  };
}

/** The model is no writer of plans; it may still be one of calls. */
const NO_PLAN: PlanState = {
  ...freshPlan({ plan: { steps: [], answer: "", lacking: [] }, repairs: [] }),
  left: "no plan could be read",
};

function composeInput(options: {
  state: GraphState;
  context: Context;
  atHand: ToolsAtHand;
  style: ComposeStyle;
}): ComposeInput {
  const { state, context, atHand, style } = options;
  const { offered } = atHand;
  return {
    style,
    ...situation({ state, context }),
    tools: [...offered].map(shownTool),
    demonstrations: shownDemonstrations(state, offered),
    missed: unservedTasks(state),
    ...(state.ledger?.enforced ? { budget: toldBudget({ state, atHand }) } : {}),
    ...failedPlan(state, { style, nameOf: nameIn(offered) }),
  };
}

/** The plan that is to be written anew because something is wrong with it. */
function failedPlan(
  { plan, subtasks }: GraphState,
  form: { style: ComposeStyle; nameOf: (tool: string) => string },
): Pick<ComposeInput, "failed"> {
  const cue = plan?.cues.at(-1);
  if (!plan || cue === undefined) return {};
  // A plan that has led to a search was not looked through: the cue speaks of the one before it.
  if (plan.issues.length === 0 && subtasks.length > 0) return {};
  const problems = plan.issues.map(({ problem }) => problem);
  return { failed: { plan: writtenPlan(plan, form), problems, cue } };
}

/** Tools that a plan uses although no search has found them, and searches for what it lacks. */
async function toolsFor(options: {
  state: GraphState;
  context: Context;
  plan: PlanState;
}): Promise<StateUpdate> {
  const { state, context, plan } = options;
  const library = await runWorkspace().library(context);
  const isAllowed = (id: string) => library.get(id) && (context.toolIds?.includes(id) ?? true);
  const used = plan.steps.map(({ tool }) => tool).filter(isAllowed);
  return {
    toolIds: [...new Set([...state.toolIds, ...used])],
    ...searchesFor({ state, context, lacking: plan.lacking }),
  };
}
