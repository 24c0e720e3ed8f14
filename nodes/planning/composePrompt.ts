import type { Prompt } from "../../models/prompt.js";
import { budgetText } from "../shared/budgetText.js";
import { earlierTurnsText } from "../shared/conversationText.js";
import { type Asking, promptOf } from "../shared/question.js";
import type {
  OfferedTool,
  ShownDemonstration,
  Situation,
  ToldBudget,
} from "../shared/stageInputs.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import { type ComposeStyle, PLAN_FORMS } from "./planForm.js";

/** What is known when a model is asked for a whole plan. */
export interface ComposeInput extends Situation {
  style: ComposeStyle;
  /** What the user wants the agent to be, beside what a plan has to be. */
  instructions?: string;
  /** Tools that the plan may use. */
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
  /** What the library was searched for and has no tool for. */
  missed: string[];
  /** What earlier plans lacked, and other tools were found for; absent where plans lead to no search. */
  searched?: string[];
  /** Where the run has a budget: what is left, and prices. */
  budget?: ToldBudget;
  /** The plan before this one, as text, with what is wrong with it and what was advised. */
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
  task: ({ style, request, earlierTurns, missed, searched = [], budget, failed }) => {
    const words = style === "program" ? PROGRAM_WORDS : PLAN_WORDS;
    return [
      earlierTurnsText(earlierTurns),
      `Request: ${request}`,
      searched.length > 0 && listed(words.searched, searched),
      missed.length > 0 && listed(words.missed, missed),
      budgetText(budget),
      failed && failedText(failed, words),
    ];
  },
  byRules: async (input) =>
    (await import("../../models/offline/composing.js")).replyToCompose(input),
};

/** The question as messages, for a stage that asks and reads in its own way. */
export function composePrompt(
  input: ComposeInput,
  { instructions, problem }: { instructions?: string; problem?: string } = {},
): Prompt<"compose", ComposeInput> {
  return promptOf(composeQuestion, { input: { instructions, ...input }, problem });
}

/** How it is said what came of the plan before. */
interface Words {
  searched: string;
  missed: string;
  /** Leads to the plan that has failed. */
  before: string;
  faults: string;
  again: string;
}

const PLAN_WORDS: Words = {
  searched:
    "The library was searched for what your plan lacked, and the tools found are on offer now. Name in lacking again what none does:",
  missed:
    "The whole library has no tool for the following. Plan and answer the rest, and name these in lacking again, to tell the user what stays undone:",
  before: "Your previous plan: ",
  faults: "It cannot be followed:",
  again: "Write the whole plan again.",
};

const PROGRAM_WORDS: Words = {
  searched:
    "The library was searched for what your program needs; new functions stand last in the list above. If none of them serves, keep the need(…) line and write the rest, or throw if nothing can be done:",
  missed:
    "The whole library has no function for the following. Write the program for the rest, without need(…) for these; the user is told what stays undone:",
  before: "Your previous program:\n",
  faults: "It cannot be carried out:",
  again: "Write the whole program again.",
};

function failedText(
  { plan, problems, cue }: NonNullable<ComposeInput["failed"]>,
  { before, faults, again }: Words,
): string {
  return [
    `${before}${plan}`,
    problems.length > 0 && listed(faults, problems),
    cue && `What to change: ${cue}`,
    again,
  ]
    .filter(Boolean)
    .join("\n");
}

function listed(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `- ${line}`)].join("\n");
}
