import type { AIMessage } from "@langchain/core/messages";
import { oneLine } from "../../common/errors.js";
import type { CheckedPlan, PlanTool } from "../../plans/plan.js";
import { withPlainObjects } from "../../plans/plainObjects.js";
import { readPlan } from "../../plans/readPlan.js";
import { type Context, readContext } from "../../state/context.js";
import { type PlanState, freshPlan } from "../../state/plan.js";
import { type GraphState, type StateUpdate, unservedTasks } from "../../state/state.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { budgetText, earlierTurnsText, listed } from "../shared/promptTexts.js";
import { type Asking, askFor } from "../shared/question.js";
import { excessOfPlan } from "../shared/excess.js";
import type { Reading } from "../shared/replyForm.js";
import { MAX_ATTEMPTS } from "../shared/repair.js";
import {
  demonstrationViews,
  toolView,
  budgetView,
  nameIn,
  planTools,
} from "../shared/modelView.js";
import { runBasics } from "../shared/runBasics.js";
import { type Line, type StageChange, askingStage } from "../shared/stage.js";
import type {
  OfferedTool,
  ShownDemonstration,
  RunBasics,
  ToldBudget,
} from "../shared/stageInputs.js";
import { type ToolOffer, offeredTools } from "../shared/offeredTools.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import { searchedFor, searchesFor } from "./lackedTools.js";
import { type ComposeStyle, PLAN_FORMS, planFormText } from "./planForm.js";
import { planLines, repairLines } from "./planLines.js";

/** Input for asking a model for a whole plan. */
export interface ComposeInput extends RunBasics {
  style: ComposeStyle;
  /** The user's own instructions for the agent, besides those for plans. */
  instructions?: string;
  /** Tools that the plan may use. */
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
  /** What was searched for but no library tool does. */
  missed: string[];
  /** What earlier plans lacked and a search found tools for; absent if plans lead to no search. */
  searched?: string[];
  /** If the run has a budget: what is left, and prices. */
  budget?: ToldBudget;
  /** The previous plan as text, what is wrong with it, and what was advised. */
  failed?: { plan: string; problems: string[]; cue: string };
}

declare module "../shared/stageInputs.js" {
  interface StageInputs {
    compose: ComposeInput;
  }
}

/** Asks for a whole plan in one reply ("AI Agent 007"). */
export const composeQuestion: Asking<"compose", ComposeInput> = {
  stage: "compose",
  schema: ({ style, tools }) => PLAN_FORMS[style].schema?.(tools),
  instructions: ({ style, instructions, tools, demonstrations }) => [
    PLAN_FORMS[style].instructions,
    instructions && `Also follow these instructions: ${instructions}`,
    PLAN_FORMS[style].toolsText(tools),
    planDemonstrationsText(demonstrations, { style }),
  ],
  task: ({ request, earlierTurns, missed, searched = [], budget, failed }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    searched.length > 0 && listed(SEARCHED, searched),
    missed.length > 0 && listed(MISSED, missed),
    budgetText(budget),
    failed && failedText(failed),
  ],
  byRules: async (input) =>
    (await import("../../models/offline/composing.js")).replyToCompose(input),
};

const SEARCHED =
  "The library was searched for what your plan lacked, and the tools found are on offer now. Name in lacking again what none does:";

const MISSED =
  "The whole library has no tool for the following. Plan and answer the rest, and name these in lacking again, to tell the user what stays undone:";

function failedText({ plan, problems, cue }: NonNullable<ComposeInput["failed"]>): string {
  return [
    `Your previous plan: ${plan}`,
    problems.length > 0 && listed("It cannot be followed:", problems),
    cue && `What to change: ${cue}`,
    "Write the whole plan again.",
  ]
    .filter(Boolean)
    .join("\n");
}

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

/** Most problems told to the model at once; a reply that is no plan may have one per line. */
const MOST_PROBLEMS = 10;

/**
 * The plan in a reply, or what to tell the model. If the model calls tools although none are bound, these calls
 * are the plan, and it sees their results before it continues.
 */
async function readComposed(options: {
  reply: Pick<AIMessage, "text" | "tool_calls">;
  tools: PlanTool[];
  style: ComposeStyle;
}): Promise<Reading<CheckedPlan>> {
  const { reply, tools, style } = options;
  const { text, tool_calls: calls = [] } = reply;
  const isEmpty = text.trim() === "";
  if (isEmpty && calls.length === 0)
    return { problem: `Your last reply was empty. ${planFormText(style)}` };
  const read = isEmpty ? readPlan(calls, tools) : await PLAN_FORMS[style].read(text, tools);
  const excess = excessOfPlan(read.plan);
  if (excess) return { problem: `Your last reply could not be used as a plan: ${excess}.` };
  if (read.issues.length === 0) return { value: { ...read, plan: withPlainObjects(read.plan) } };
  if (!isEmpty && calls.length > 0)
    return readComposed({ ...options, reply: { text: "", tool_calls: calls } });
  const problems = read.issues.slice(0, MOST_PROBLEMS).map(({ problem }) => problem);
  const said = `Your last reply could not be read as a plan: ${problems.join("; ")}.`;
  return { problem: `${said} ${planFormText(style)}` };
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
