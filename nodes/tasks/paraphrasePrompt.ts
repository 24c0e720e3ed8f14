import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText } from "../shared/conversationText.js";
import type { ParaphraseInput, Prompt } from "../shared/stageInputs.js";
import { earlierResultsText } from "../shared/taskResults.js";

/** The reply of `paraphrase`. */
export const TASK_SCHEMA: JsonSchema = {
  type: "object",
  properties: { task: { type: "string", description: "The same task in other words" } },
  required: ["task"],
  additionalProperties: false,
};

/**
 * Asks for other words for a task that found no tool (Tulip Agent: DfsTulip).
 *
 * @param problem what was wrong with the model's last reply
 */
export function paraphrasePrompt(input: ParaphraseInput, problem?: string): Prompt<"paraphrase"> {
  return {
    stage: "paraphrase",
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(question(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: TASK_SCHEMA,
  };
}

function instructions({ background }: ParaphraseInput): string {
  return [
    "A tool library is searched by meaning, and has shown no tool for a task as it is worded. You word the task anew, so that another search may find one.",
    "The new wording means exactly the same and keeps every value, unit and name, and what is said of earlier results. Put what is to be done in plain, general words, such as would stand in the description of a reusable tool: another verb, the usual term instead of a rare one, or the operation behind an everyday expression; name the operation first, and what it is about after it. Neither do the task nor split it.",
    'Reply with a JSON object: {"task": "..."}.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function question({ request, task, tried, missing, earlierResults }: ParaphraseInput): string {
  return [
    request !== task && `The request as a whole: ${request}`,
    earlierResultsText(earlierResults),
    `Task: ${task}`,
    missing && `Tools were found, and none of them fits: ${missing}`,
    tried.length > 0 &&
      [
        "Wordings that found nothing, none of which to use again:",
        ...tried.map((one) => `- ${one}`),
      ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
