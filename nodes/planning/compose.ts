import type { AIMessage } from "@langchain/core/messages";
import type { CheckedPlan, PlanTool } from "../../plans/steps/plan.js";
import { readPlan } from "../../plans/steps/readPlan.js";
import { runWorkspace } from "../../home/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { freshPlan } from "../../state/plan.js";
import type { GraphState } from "../../state/state.js";
import { budgetText, earlierTurnsText, listed } from "../kit/promptTexts.js";
import { type Asking, askFor } from "../kit/question.js";
import { MOST_STEPS } from "../../common/bounds.js";
import { counted } from "../../common/text.js";
import type { Reading } from "../kit/replyForm.js";
import {
  demonstrationViews,
  toolView,
  budgetView,
  nameIn,
  planTools,
} from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import type { OfferedTool, ShownDemonstration, RunBasics, ToldBudget } from "../kit/stageInputs.js";
import { offeredTools } from "../policy/offeredTools.js";
import { type ToolOffer } from "../policy/toolOffer.js";
import {
  planDemonstrationsText,
  type ComposeStyle,
  PLAN_FORMS,
  planFormText,
} from "./planForms.js";
import { planLines, repairLines } from "./checkPlan.js";

export interface ComposeInput extends RunBasics {
  style: ComposeStyle;
  /** The user's own instructions for the agent, besides those for plans. */
  instructions?: string;
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
  /** What reflections on earlier plans taught. */
  insights?: string[];
  /** If the run has a budget: what is left, and prices. */
  budget?: ToldBudget;
  /** The previous plan as text, what is wrong with it, and what was advised. */
  failed?: { plan: string; problems: string[]; cue: string };
}

/** Asks for a whole plan in one reply ("AI Agent 007"). */
export const composeQuestion: Asking<"compose", ComposeInput> = {
  stage: "compose",
  schema: ({ style, tools }) => PLAN_FORMS[style].schema?.(tools),
  instructions: ({ style, instructions, tools, demonstrations, insights = [] }) => [
    PLAN_FORMS[style].instructions,
    insights.length > 0 && listed("What earlier plans taught:", insights),
    instructions && `Also follow these instructions: ${instructions}`,
    PLAN_FORMS[style].toolsText(tools),
    planDemonstrationsText(demonstrations, { style }),
  ],
  task: ({ request, earlierTurns, budget, failed }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    budgetText(budget),
    failed && failedText(failed),
  ],
  byRules: async (input) => (await import("../../models/offline/plans.js")).replyToCompose(input),
};

function failedText({ plan, problems, cue }: NonNullable<ComposeInput["failed"]>): string {
  return [
    `Your previous plan: ${plan}`,
    problems.length > 0 && listed("It cannot be carried out:", problems),
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
 * @param options.insights shows what reflections on earlier plans taught
 * @default false
 */
export function compose({ style, insights }: { style: ComposeStyle; insights?: boolean }) {
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config);
    const offer = await offeredTools(state, settings);
    const tools = planTools(offer.offered);
    const answer = await askFor(
      { ...composeQuestion, read: (reply) => readComposed(reply, tools, style) },
      {
        state,
        settings,
        config,
        input: {
          ...composeInput({ state, settings, offer, style }),
          ...(insights ? { insights: await insightsFor(settings) } : {}),
        },
      },
    );
    if ("end" in answer) return answer.end;
    return { plan: freshPlan(answer.value, state.plan ?? {}), ...answer.asked };
  });
}

/** Insights that are shown, the latest. */
const MOST_INSIGHTS = 5;

async function insightsFor({ library }: Settings): Promise<string[]> {
  const experience = await runWorkspace().experience();
  return await experience.insights({ library, most: MOST_INSIGHTS });
}

/** Most problems told to the model at once; a reply that is not a plan may have one per line. */
const MOST_PROBLEMS = 10;

/**
 * The plan in a reply, or what to tell the model. If the model calls tools although none are bound, these calls
 * are the plan.
 */
async function readComposed(
  reply: Pick<AIMessage, "text" | "tool_calls">,
  tools: PlanTool[],
  style: ComposeStyle,
): Promise<Reading<CheckedPlan>> {
  const { text, tool_calls: calls = [] } = reply;
  const isEmpty = text.trim() === "";
  if (isEmpty && calls.length === 0)
    return { problem: `Your last reply was empty. ${planFormText(style)}` };
  const read = isEmpty ? readPlan(calls, tools) : await PLAN_FORMS[style].read(text, tools);
  const steps = read.plan.steps.length;
  if (steps > MOST_STEPS) {
    const excess = `it has ${counted(steps)} steps, and a plan has at most ${MOST_STEPS}`;
    return { problem: `Your last reply could not be used as a plan: ${excess}.` };
  }
  if (read.issues.length === 0) return { value: read };
  if (!isEmpty && calls.length > 0)
    return readComposed({ text: "", tool_calls: calls }, tools, style);
  const problems = read.issues.slice(0, MOST_PROBLEMS).map(({ problem }) => problem);
  const said = `Your last reply could not be read as a plan: ${problems.join("; ")}.`;
  return { problem: `${said} ${planFormText(style)}` };
}

function composeInput(options: {
  state: GraphState;
  settings: Settings;
  offer: ToolOffer;
  style: ComposeStyle;
}): ComposeInput {
  const { state, settings, offer, style } = options;
  const { offered } = offer;
  const { instructions } = settings;
  return {
    style,
    ...runBasics(state, settings),
    ...(instructions ? { instructions } : {}),
    tools: [...offered].map(toolView),
    demonstrations: demonstrationViews(state, offered),
    ...(state.ledger?.enforced ? { budget: budgetView(state, offer) } : {}),
    ...failedPlan(state, { style, nameOf: nameIn(offered) }),
  };
}

function failedPlan(
  { plan }: GraphState,
  { style, nameOf }: { style: ComposeStyle; nameOf: (tool: string) => string },
): Pick<ComposeInput, "failed"> {
  const cue = plan?.cues.at(-1);
  if (!plan || cue === undefined) return {};
  const problems = plan.issues.map(({ problem }) => problem);
  return { failed: { plan: PLAN_FORMS[style].written(plan, nameOf), problems, cue } };
}

function lines({ change: { plan } }: StageChange): Line[] {
  return plan ? [...planLines(plan), ...repairLines(plan.repairs)] : [];
}
