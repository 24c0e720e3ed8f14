import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../tools/tool.js";
import { budgetText } from "./budget.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { CODE, functionLines } from "./compose/code.js";
import { ENFORCED } from "./compose/enforced.js";
import { STATE_ACTION } from "./compose/stateAction.js";
import { TYPED } from "./compose/typed.js";
import { backgroundText, earlierTurnsText } from "./conversation.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import type { ComposeInput, ComposeStyle, Prompt } from "./stages.js";
import { toolLines } from "./toolLines.js";

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
  const { request, earlierTurns, missed, searched = [], budget } = input;
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    searched.length > 0 &&
      [
        "The library was searched for the following, which a plan of yours lacked tools for; what it found is among the tools. Name in lacking again what none of them does:",
        ...searched.map((phrase) => `- ${phrase}`),
      ].join("\n"),
    missed.length > 0 &&
      [
        "The whole library was searched for the following, and has no tool for it. Plan and answer the rest alone, and name it in lacking again: whoever has asked is told from there what stays undone, beside the answer.",
        ...missed.map((phrase) => `- ${phrase}`),
      ].join("\n"),
    budgetText(budget),
    failedText(input.failed),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function failedText(failed: ComposeInput["failed"]): string {
  if (!failed) return "";
  const { plan, problems, cue } = failed;
  return [
    `Your plan before this one: ${plan}`,
    problems.length > 0 &&
      ["It cannot be followed:", ...problems.map((problem) => `- ${problem}`)].join("\n"),
    cue && `What to do otherwise: ${cue}`,
    "Write the whole plan anew.",
  ]
    .filter(Boolean)
    .join("\n");
}
