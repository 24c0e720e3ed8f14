import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import type { DecomposeInput, Prompt } from "../shared/stageInputs.js";
import { earlierResultsText } from "../shared/taskResults.js";

/** The reply of `decompose`: ordered subtasks, none when the task is a single action. */
export const SUBTASKS_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    subtasks: {
      type: "array",
      description: "The subtasks in the order in which to do them",
      items: { type: "string" },
    },
  },
  required: ["subtasks"],
  additionalProperties: false,
};

/**
 * Asks for the ordered subtasks of a request, or of a subtask for which no tool was found.
 *
 * @param problem what was wrong with the model's last reply
 */
export function decomposePrompt(input: DecomposeInput, problem?: string): Prompt<"decompose"> {
  return {
    stage: "decompose",
    thinks: true,
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: SUBTASKS_SCHEMA,
  };
}

function instructions(input: DecomposeInput): string {
  const { style, libraryDescription, toolNames, background } = input;
  return [
    "You plan the work of an agent that has a large library of tools, each of which does one small thing.",
    "Split the task into the fewest ordered subtasks such that one call of one tool can do each of them. A well-known formula, such as the perimeter of a rectangle, is one operation, and so is doing the same to each of several results; operations that build on each other are subtasks of their own. State each subtask in plain, general words, with the values and units that it needs; refer to an earlier result by what it is (the area of the rectangle). Do not do the subtasks, do not name tools, and do not add steps such as reporting or checking the result.",
    wholeTask(input),
    'Reply with a JSON object: {"subtasks": ["...", "..."]}.',
    style === "informed" &&
      libraryDescription &&
      `About the library: ${libraryDescription}. Parts of the task that such a library cannot do stay subtasks of their own.`,
    (style === "primed" || style === "tree") &&
      toolNames?.length &&
      `Names of some tools in the library, to show what its tools are like: ${toolNames.join(", ")}. There are more, and a later step searches for the right ones.`,
    style === "oneShot" && EXAMPLE,
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** What to reply for a task that has no parts. */
function wholeTask({ style, depth }: DecomposeInput): string {
  if (style === "tree")
    return "If splitting is not sensible, because one call of one tool may well do the task as it stands, reply with an empty list; never give the task back unchanged or merely reworded. Results of earlier tasks are there to be used: plan nothing that would find them again, unless one of them is plainly no result.";
  return depth === 0
    ? "A task that is a single operation is its own only subtask."
    : "No tool was found for the task as it stands: never give it back unchanged or merely reworded. If it is a single operation, reply with an empty list.";
}

/** One worked example, as OneShotCot shows one (Tulip Agent). */
const EXAMPLE = [
  "Example. Task: How many tiles of 0.25 square metres does it take to cover a floor that is 6 m long and 4.5 m wide, if 8 tiles are kept as spares?",
  'Reply: {"subtasks": ["Calculate the area of a rectangle with length 6 m and width 4.5 m", "Divide the area of the rectangle by 0.25", "Add 8 to the number of tiles"]}',
].join("\n");

function task(input: DecomposeInput): string {
  const { style, request, task: text, depth, earlierTurns } = input;
  if (style === "tree") return taskOfTree(input);
  if (depth > 0) {
    return [
      `The request as a whole: ${request}`,
      `No tool was found for this subtask of it: ${text}`,
      "Split it into smaller subtasks if it consists of several operations; otherwise reply with an empty list.",
    ].join("\n");
  }
  return [earlierTurnsText(earlierTurns), `Task: ${text}`].filter(Boolean).join("\n\n");
}

/** A task with all that was found out before it, and the ways that have led nowhere. */
function taskOfTree(input: DecomposeInput): string {
  const { request, task: text, earlierTurns, earlierResults, failedPlans = [] } = input;
  return [
    earlierTurnsText(earlierTurns),
    request !== text && `The request as a whole: ${request}`,
    earlierResultsText(earlierResults),
    `Task: ${text}`,
    failedPlans.length > 0 &&
      [
        "These plans for the task have failed. Find another way: other subtasks, or another order. If there is none, reply with an empty list.",
        ...failedPlans.map(({ subtasks, reason }) =>
          [...subtasks.map((one, at) => `${at + 1}. ${one}`), `Why it failed: ${reason}`].join(
            "\n",
          ),
        ),
      ].join("\n\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
