import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { observationLine } from "../../state/observation.js";
import type { JudgeInput, Prompt } from "../shared/stageInputs.js";

/** The reply of `judge`; the reason comes first, so that the verdict follows from it. */
export const JUDGE_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    reason: { type: "string", description: "One sentence on what the result is worth" },
    helpful: {
      type: "boolean",
      description: "Whether the result tells something of value for the request",
    },
  },
  required: ["reason", "helpful"],
  additionalProperties: false,
};

/**
 * Asks whether the result of a call helps with the request (BTP: whether it contains valuable
 * information beyond error messages). The result is shown in one line and cut as published. The
 * request is shown whole, where the published judge sees its first line only.
 */
export function judgePrompt(input: JudgeInput): Prompt<"judge"> {
  return {
    stage: "judge",
    once: true,
    input,
    messages: [new SystemMessage(instructions(input)), new HumanMessage(call(input))],
    schema: JUDGE_SCHEMA,
  };
}

function instructions({ background }: JudgeInput): string {
  return [
    "An agent works on a request with tools. You are shown one call that it made, and say whether the result is helpful.",
    "A result is helpful when it holds information of value for the request; it need not answer the whole of it. It is not helpful when it is nothing but an error, an excuse or a notice that access or data is missing, when it is empty, or when what it says has nothing to do with the request. Judge the result alone: neither whether it is true nor whether another tool would have been better.",
    'Reply with a JSON object: {"reason": "...", "helpful": true}.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function call({ request, earlierTurns, tool, args, result }: JudgeInput): string {
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    [
      `Tool: ${[tool.name, tool.description].filter(Boolean).join(": ")}`,
      `Arguments: ${JSON.stringify(args)}`,
      `Result: ${observationLine(result) || "(empty)"}`,
    ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
