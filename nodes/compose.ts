import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CheckedPlan, PlanTool } from "../plans/plan.js";
import { planText } from "../plans/planText.js";
import { readPlan } from "../plans/readPlan.js";
import { composePrompt } from "../prompts/compose.js";
import type { ComposeInput, ComposeStyle } from "../prompts/stages.js";
import { type Context, readContext } from "../state/context.js";
import { earlierTurns } from "../state/conversation.js";
import { type PlanState, freshPlan } from "../state/plan.js";
import { type GraphState, type StateUpdate, openSubtask, unservedTasks } from "../state/state.js";
import { askModel } from "./askModel.js";
import { backgroundOf } from "./background.js";
import { nameIn, planTools } from "./planTools.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { shownDemonstrations, shownTool, toldBudget } from "./shown.js";
import { type ToolsAtHand, toolsAtHand } from "./toolsAtHand.js";

/**
 * Asks a model for a whole plan in one reply ("AI Agent 007"), before anything runs. What is wrong with
 * the calls is for `checkPlan` to say; only a reply that cannot be read is asked for again here.
 *
 * @param options.style how the plan is asked for and written
 * @param options.executed the plan is to be followed: what it lacks a tool for is queued to be searched
 * for, once in a run, and a model whose replies are no plan goes on without one
 */
export function compose({ style, executed = false }: { style: ComposeStyle; executed?: boolean }) {
  return async function compose(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const context = readContext(config);
    const atHand = await toolsAtHand({ state, context });
    const input = composeInput({ state, context, atHand, style });
    const { instructions } = context;
    const prompt = composePrompt(input, { instructions, problem: problemAt(state, "compose") });
    const asked = await askModel(state, { prompt, context, config });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const read = readReply(reply.text, planTools(atHand.offered));
    if ("problem" in read) {
      const repair = repairOrEnd({ state, stage: "compose", problem: read.problem, usage });
      const isOver = repair.status === "error" && executed && reply.text.trim() !== "";
      return isOver ? { plan: NO_PLAN, repair: null, usage } : repair;
    }
    const plan = freshPlan(read, state.plan ?? {});
    return {
      plan,
      repair: null,
      usage,
      ...(executed ? searchesFor(state, plan.lacking) : {}),
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
    request: state.run.request,
    background: backgroundOf(context),
    earlierTurns: earlierTurns(state),
    tools: [...offered].map(shownTool),
    demonstrations: shownDemonstrations(state, offered),
    missed: unservedTasks(state),
    ...(state.ledger?.enforced ? { budget: toldBudget({ state, atHand }) } : {}),
    ...failedPlan(state, nameIn(offered)),
  };
}

/** The plan that is to be written anew because something is wrong with it. */
function failedPlan(
  { plan }: GraphState,
  nameOf: (tool: string) => string,
): Pick<ComposeInput, "failed"> {
  const cue = plan?.cues.at(-1);
  if (!plan || cue === undefined) return {};
  const problems = plan.issues.map(({ problem }) => problem);
  return { failed: { plan: planText(plan, { nameOf }), problems, cue } };
}

function readReply(text: string, tools: PlanTool[]): CheckedPlan | { problem: string } {
  if (!text.trim()) return { problem: "Your last reply was empty. Reply with the plan." };
  const read = readPlan(text, tools);
  if (read.issues.length === 0) return read;
  const problems = read.issues.map(({ problem }) => problem).join("; ");
  return { problem: `Your last reply could not be read as a plan: ${problems}` };
}

/** Only the first plan of a run is searched for: the next one is made with all that the library has. */
function searchesFor({ subtasks }: GraphState, lacking: readonly string[]): StateUpdate {
  if (subtasks.length > 0 || lacking.length === 0) return {};
  const missing = lacking.map((text, at) => openSubtask({ id: `${at + 1}`, text, depth: 0 }));
  return {
    subtasks: missing,
    queue: missing.map(({ id, text }) => ({ phrase: text, subtask: id })),
  };
}
