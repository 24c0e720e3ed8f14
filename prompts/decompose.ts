import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../tools/tool.js";
import { earlierTurnsText } from "./conversation.js";
import type { DecomposeInput, Prompt } from "./stages.js";

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
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: SUBTASKS_SCHEMA,
  };
}

function instructions({ style, libraryDescription, toolNames }: DecomposeInput): string {
  return [
    "You plan the work of an agent that has a large library of tools, each of which does one small thing.",
    "Split the task into the fewest ordered subtasks such that a single call of one tool can do each of them. Every operation on values is a subtask of its own. State each in plain, general words and with the values that it needs; refer to an earlier result by what it is (the area of the rectangle). Do not do the subtasks, and do not add steps such as reporting or checking the result. A task that is a single operation is its own only subtask.",
    'Reply with a JSON object: {"subtasks": ["...", "..."]}.',
    style === "informed" && libraryDescription && `About the library: ${libraryDescription}`,
    style === "primed" &&
      toolNames?.length &&
      `Names of tools in the library that may help: ${toolNames.join(", ")}. There are more; others can be searched for.`,
    style === "oneShot" && EXAMPLE,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** One worked example, as OneShotCot shows one (Tulip agents, A1). */
const EXAMPLE = [
  "Example. Task: How much do 3 boxes of 24 bottles weigh if a bottle weighs 1.2 kg and all boxes together add 2 kg?",
  'Reply: {"subtasks": ["Multiply the number of boxes, 3, by the bottles in each, 24", "Multiply the number of bottles by the weight of one, 1.2", "Add 2 to the weight of the bottles"]}',
].join("\n");

function task({ request, task: text, depth, earlierTurns }: DecomposeInput): string {
  if (depth > 0) {
    return [
      `The request as a whole: ${request}`,
      `No tool was found for this subtask of it: ${text}`,
      "Split this subtask into smaller ones. If it cannot be split sensibly, reply with an empty list.",
    ].join("\n");
  }
  return [earlierTurnsText(earlierTurns), `Task: ${text}`].filter(Boolean).join("\n\n");
}
