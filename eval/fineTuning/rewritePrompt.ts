import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText } from "../../nodes/shared/conversationText.js";
import type { Prompt, RewriteInput } from "../../nodes/shared/stageInputs.js";

/** The reply of `rewrite`. */
export const REWRITE_SCHEMA: JsonSchema = {
  type: "object",
  properties: { request: { type: "string", description: "The same request in other words" } },
  required: ["request"],
  additionalProperties: false,
};

/**
 * Asks for a request in other words, for fine-tuning sets (TPTU-v2, arXiv:2311.11315: instructions are
 * rewritten so that a model learns what is meant and not how it was put).
 */
export function rewritePrompt(input: RewriteInput): Prompt<"rewrite"> {
  return {
    stage: "rewrite",
    input,
    messages: [new SystemMessage(instructions(input)), new HumanMessage(question(input))],
    schema: REWRITE_SCHEMA,
  };
}

function instructions({ background }: RewriteInput): string {
  return [
    "You say a request to an assistant in other words, as another person would who wants exactly the same.",
    "Keep every number, date, unit, name and id as it is written, and what stands in quotation marks word for word. Add nothing, leave nothing out, and leave days such as tomorrow as they are said. Change the construction of the sentences, their order, their tone and the verbs; short or chatty, a command or a question, unlike the wordings that there are. Neither answer the request nor speak of tools.",
    'Reply with a JSON object: {"request": "..."}.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function question({ request, taken }: RewriteInput): string {
  const others = taken.filter((wording) => wording !== request);
  return [
    `Request: ${request}`,
    others.length > 0 &&
      ["Wordings that there are already:", ...others.map((one) => `- ${one}`)].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
