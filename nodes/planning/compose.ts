import { oneLine } from "../../common/errors.js";
import { type Context, readContext } from "../../state/context.js";
import { type PlanState, freshPlan } from "../../state/plan.js";
import { type GraphState, type StateUpdate, unservedTasks } from "../../state/state.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { askFor } from "../shared/question.js";
import { MAX_ATTEMPTS } from "../shared/repair.js";
import { demonstrationViews, toolView, budgetView } from "../shared/modelView.js";
import { runBasics } from "../shared/runBasics.js";
import { type Line, type StageChange, askingStage } from "../shared/stage.js";
import { type ToolOffer, offeredTools } from "../shared/offeredTools.js";
import { type ComposeInput, composeQuestion } from "./composePrompt.js";
import { searchedFor, searchesFor } from "./lackedTools.js";
import { type ComposeStyle, PLAN_FORMS } from "./planForm.js";
import { planLines, repairLines } from "./planLines.js";
import { nameIn, planTools } from "./planTools.js";
import { readComposed } from "./readComposed.js";

/**
 * Asks a model for a whole plan in one reply ("AI Agent 007"), before anything runs. `checkPlan` judges the
 * calls; only an unreadable reply is asked for again here.
 *
 * @param options.style how the plan is asked for and written
 * @param options.executed the plan will be followed: what it lacks a tool for is queued for a search, tools it
 * names are made available, and a model that writes no plan continues without one
 */
export function compose({ style, executed = false }: { style: ComposeStyle; executed?: boolean }) {
  return askingStage({ lines }, async (state, config) => {
    const context = readContext(config);
    const offer = await offeredTools({ state, context });
    const tools = planTools(offer.offered);
    const answer = await askFor(
      { ...composeQuestion, read: (reply) => readComposed({ reply, tools, style }) },
      {
        state,
        context,
        config,
        input: {
          ...composeInput({ state, context, offer, style }),
          ...(executed ? { searched: searchedFor(state) } : {}),
        },
        givesUp: ({ reply, attempts }) =>
          executed && attempts === MAX_ATTEMPTS && reply.text.trim() !== ""
            ? { plan: NO_PLAN }
            : undefined,
      },
    );
    if ("end" in answer) return answer.end;
    const plan = freshPlan(answer.value, state.plan ?? {});
    const wanted = executed ? await toolsFor({ state, context, plan }) : {};
    return { plan, ...answer.asked, ...wanted };
  });
}

/** For a model that cannot write plans but may manage calls. */
const NO_PLAN: PlanState = {
  ...freshPlan({ plan: { steps: [], answer: "", lacking: [] }, repairs: [] }),
  left: "no plan could be read",
};

function composeInput(options: {
  state: GraphState;
  context: Context;
  offer: ToolOffer;
  style: ComposeStyle;
}): ComposeInput {
  const { state, context, offer, style } = options;
  const { offered } = offer;
  const { instructions } = context;
  return {
    style,
    ...runBasics({ state, context }),
    ...(instructions ? { instructions } : {}),
    tools: [...offered].map(toolView),
    demonstrations: demonstrationViews(state, offered),
    missed: unservedTasks(state),
    ...(state.ledger?.enforced ? { budget: budgetView({ state, offer }) } : {}),
    ...failedPlan(state, { style, nameOf: nameIn(offered) }),
  };
}

/** The faulty plan to rewrite. */
function failedPlan(
  { plan, subtasks }: GraphState,
  { style, nameOf }: { style: ComposeStyle; nameOf: (tool: string) => string },
): Pick<ComposeInput, "failed"> {
  const cue = plan?.cues.at(-1);
  if (!plan || cue === undefined) return {};
  // A plan that led to a search was not reviewed: the cue is about the one before it.
  if (plan.issues.length === 0 && subtasks.length > 0) return {};
  const problems = plan.issues.map(({ problem }) => problem);
  return { failed: { plan: PLAN_FORMS[style].written(plan, { nameOf }), problems, cue } };
}

/** Tools a plan uses although no search found them, and searches for what it lacks. */
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

/** The plan, what it has no tool for, and what was fixed in it. */
function lines({ change }: StageChange): Line[] {
  const { plan, queue = [] } = change;
  if (!plan) return [];
  if (plan.left) return [`goes on without a plan: ${oneLine(plan.left)}`];
  // A plan that leads to searches is rewritten, with its answer.
  const shown = queue.length > 0 ? { ...plan, answer: "" } : plan;
  const lacking = plan.lacking.map((phrase) => `lacks a tool for: ${oneLine(phrase)}`);
  return [...planLines(shown), ...lacking, ...repairLines(plan.repairs)];
}
