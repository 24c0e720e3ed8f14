import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { budgetText } from "../shared/budgetText.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { CODE, functionLines } from "./styles/code.js";
import { ENFORCED } from "./styles/enforced.js";
import { PROGRAM, declarationLines } from "./styles/program.js";
import { STATE_ACTION } from "./styles/stateAction.js";
import { TYPED } from "./styles/typed.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import type { ComposeInput, ComposeStyle, Prompt } from "../shared/stageInputs.js";
import { toolLines } from "../../models/toolLines.js";

/** What a plan has to be, in each of the forms in which one is asked for. */
const INSTRUCTIONS: Record<ComposeStyle, string> = {
  program: PROGRAM,
  typed: TYPED,
  stateAction: STATE_ACTION,
  code: CODE,
  enforced: ENFORCED,
};

/**
 * Asks for a whole plan in one reply ("AI Agent 007").
 *
 * @param options.instructions what the user wants the agent to be, beside what a plan has to be
 * @param options.problem what was wrong with the form of the last reply
 */
export function composePrompt(
  input: ComposeInput,
  { instructions, problem }: { instructions?: string; problem?: string } = {},
): Prompt<"compose"> {
  return {
    stage: "compose",
    input,
    messages: [
      new SystemMessage(
        [
          INSTRUCTIONS[input.style],
          instructions && `Follow these instructions, too: ${instructions}`,
          toolsText(input),
          planDemonstrationsText(input.demonstrations, input),
          backgroundText(input.background),
        ]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    ...(input.style === "enforced" ? { schema: planSchema(input) } : {}),
  };
}

function toolsText({ style, tools }: ComposeInput): string {
  if (style === "program") return `Functions:\n${declarationLines(tools)}`;
  if (style === "code") return `Functions:\n${functionLines(tools)}`;
  return `Tools:\n${toolLines(tools)}`;
}

/** The reply of style `enforced`: names of tools and arguments can be no others than those on offer. */
function planSchema({ tools }: ComposeInput): JsonSchema {
  return {
    ...strictObject({
      thought: { type: "string", description: "The way in one or two sentences" },
      steps: { type: "array", items: callSchema(tools) },
    }),
    $defs: VALUE_DEFINITIONS,
  };
}

function task(input: ComposeInput): string {
  const { style, request, earlierTurns, missed, searched = [], budget, failed } = input;
  const words = style === "program" ? PROGRAM_WORDS : PLAN_WORDS;
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    searched.length > 0 && listed(words.searched, searched),
    missed.length > 0 && listed(words.missed, missed),
    budgetText(budget),
    failed && failedText(failed, words),
  ]
    .filter(Boolean)
    .join("\n\n");
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
    "The library was searched for the following, which a plan of yours lacked tools for; what it found is among the tools. Name in lacking again what none of them does:",
  missed:
    "The whole library was searched for the following, and has no tool for it. Plan and answer the rest alone, and name it in lacking again: whoever has asked is told from there what stays undone, beside the answer.",
  before: "Your plan before this one: ",
  faults: "It cannot be followed:",
  again: "Write the whole plan anew.",
};

const PROGRAM_WORDS: Words = {
  searched:
    "The library was searched for the following, which your program lacked functions for. What it found that is new stands last among the functions above. Where none of them serves, keep the need(…) line beside the rest, or throw if nothing can be done:",
  missed:
    "The whole library was searched for the following, and has no function for it. Write the program for the rest alone, without need(…) for these: whoever has asked is told what stays undone, beside the answer.",
  before: "Your program before this one:\n",
  faults: "It cannot be carried out:",
  again: "Write the whole program anew.",
};

function failedText(
  { plan, problems, cue }: NonNullable<ComposeInput["failed"]>,
  { before, faults, again }: Words,
): string {
  return [
    `${before}${plan}`,
    problems.length > 0 && listed(faults, problems),
    cue && `What to do otherwise: ${cue}`,
    again,
  ]
    .filter(Boolean)
    .join("\n");
}

function listed(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `- ${line}`)].join("\n");
}
