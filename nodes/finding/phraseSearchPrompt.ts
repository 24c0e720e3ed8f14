import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import type { PhraseSearchInput, Prompt } from "../shared/stageInputs.js";

/**
 * Asks for search phrases that find tools for the subtasks.
 *
 * @param problem what was wrong with the model's last reply
 */
export function phraseSearchPrompt(
  input: PhraseSearchInput,
  problem?: string,
): Prompt<"phraseSearch"> {
  return {
    stage: "phraseSearch",
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(question(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
  };
}

const INSTRUCTIONS = [
  "You find tools for subtasks in a large tool library that is searched by meaning.",
  "Call search_tools exactly once, with all searches. A phrase says what the wanted tool does, in general words that would stand in its description, without the values at hand: for “Multiply 12 by 7” search “multiply two numbers”.",
].join("\n");

function instructions({ background }: PhraseSearchInput): string {
  return [INSTRUCTIONS, backgroundText(background)].filter(Boolean).join("\n\n");
}

/** How many searches there are to be is said here alone, as it depends on what was tried. */
function question({ request, subtasks, tried, earlierTurns }: PhraseSearchInput): string {
  return [
    earlierTurnsText(earlierTurns),
    ...(subtasks.length === 1 && subtasks[0] === request
      ? [
          `Find tools for this request, as subtask 1: ${request}`,
          "Search once for every operation that it needs; all these searches have the number 1.",
        ]
      : [`The request: ${request}`, numberedList({ subtasks, tried })]),
    tried.length > 0 &&
      `These phrases found nothing suitable: ${tried.map((phrase) => `“${phrase}”`).join(", ")}. Use other words; leave a subtask out for which no other words could find a tool.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function numberedList({ subtasks, tried }: Pick<PhraseSearchInput, "subtasks" | "tried">): string {
  const numbered = subtasks.map((subtask, index) => `${index + 1}. ${subtask}`);
  const howMany = tried.length > 0 ? "" : ", with one search or more for every subtask";
  return [`Subtasks to find tools for${howMany}:`, ...numbered].join("\n");
}
