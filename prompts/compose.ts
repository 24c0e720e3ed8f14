import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { budgetText } from "./budget.js";
import { TYPED } from "./compose/typed.js";
import { backgroundText, earlierTurnsText } from "./conversation.js";
import { demonstrationsText } from "./demonstrations.js";
import type { ComposeInput, Prompt } from "./stages.js";
import { toolLines } from "./toolLines.js";

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
          TYPED,
          instructions && `Follow these instructions, too: ${instructions}`,
          `Tools:\n${toolLines(input.tools)}`,
          demonstrationsText(input.demonstrations),
          backgroundText(input.background),
        ]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
  };
}

function task(input: ComposeInput): string {
  const { request, earlierTurns, missed, budget } = input;
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    missed.length > 0 &&
      [
        "The library was searched for the following, and has no tool for it. Leave it out, and say in the answer what is missing:",
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
