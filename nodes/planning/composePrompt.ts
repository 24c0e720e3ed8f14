import { budgetText } from "../shared/budgetText.js";
import { earlierTurnsText } from "../shared/conversationText.js";
import type { Asking } from "../shared/question.js";
import type {
  OfferedTool,
  ShownDemonstration,
  RunBasics,
  ToldBudget,
} from "../shared/stageInputs.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import { type ComposeStyle, PLAN_FORMS } from "./planForm.js";

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

function listed(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `- ${line}`)].join("\n");
}
