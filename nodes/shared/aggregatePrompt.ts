import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText, earlierTurnsText } from "./conversationText.js";
import type { AggregateInput, Prompt } from "./stageInputs.js";
import { numberedResults } from "./taskResults.js";

/** The reply of `aggregate`. */
export const RESULT_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    result: {
      type: "string",
      description: "The result of the task, or what is missing for it",
    },
    solved: {
      type: "boolean",
      description:
        "true only if the result follows from those of the subtasks and nothing is missing",
    },
  },
  required: ["result", "solved"],
  additionalProperties: false,
};

/**
 * Asks for the result of a task from the results of its subtasks (Tulip Agent: DfsTulip). The reference
 * took an empty reply for a success; here the reply says itself whether the task is solved.
 *
 * @param problem what was wrong with the model's last reply
 */
export function aggregatePrompt(input: AggregateInput, problem?: string): Prompt<"aggregate"> {
  return {
    stage: "aggregate",
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(material(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: RESULT_SCHEMA,
  };
}

function instructions({ background }: AggregateInput): string {
  return [
    "A task was split into subtasks, and each of them was done with tools. You are shown their results, in the order in which they were found, and give the result of the task.",
    "Use only what these results say, with their values as they stand there. Do not calculate, and add nothing that you know yourself or suppose. Answer every part of the task, say what each value is, with its unit, and leave out results that were only needed on the way.",
    'Reply with a JSON object: {"result": "...", "solved": true or false}. Where the results do not give all that the task asks for, solved is false, and the result says what is missing.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function material({ request, earlierTurns, task, results }: AggregateInput): string {
  return [
    earlierTurnsText(earlierTurns),
    request !== task && `The request as a whole: ${request}`,
    `Task: ${task}`,
    ["Results of its subtasks:", ...numberedResults(results)].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
