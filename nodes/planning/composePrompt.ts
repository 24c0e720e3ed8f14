import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { budgetText } from "../shared/budgetText.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { CODE, functionLines } from "./styles/code.js";
import { ENFORCED } from "./styles/enforced.js";
import { STATE_ACTION } from "./styles/stateAction.js";
import { TYPED } from "./styles/typed.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import type { ComposeInput, ComposeStyle, Prompt } from "../shared/stageInputs.js";
import { toolLines } from "../../models/toolLines.js";

/** What a plan has to be, in each of the forms in which one is asked for. */
const INSTRUCTIONS: Record<ComposeStyle, string> = {
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
  const { request, earlierTurns, missed, searched = [], budget, failed } = input;
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    searched.length > 0 && listed(SEARCHED, searched),
    missed.length > 0 && listed(MISSED, missed),
    budgetText(budget),
    failed && failedText(failed),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const SEARCHED =
  "The library was searched for the following, which a plan of yours lacked tools for; what it found is among the tools. Name in lacking again what none of them does:";

const MISSED =
  "The whole library was searched for the following, and has no tool for it. Plan and answer the rest alone, and name it in lacking again: whoever has asked is told from there what stays undone, beside the answer.";

function failedText({ plan, problems, cue }: NonNullable<ComposeInput["failed"]>): string {
  return [
    `Your plan before this one: ${plan}`,
    problems.length > 0 && listed("It cannot be followed:", problems),
    cue && `What to do otherwise: ${cue}`,
    "Write the whole plan anew.",
  ]
    .filter(Boolean)
    .join("\n");
}

function listed(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `- ${line}`)].join("\n");
}
