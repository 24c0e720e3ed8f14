import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { attemptText } from "../shared/attemptText.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import type { Attempt, Prompt, VoteInput } from "../shared/stageInputs.js";

/** The reply of `vote`; the reason comes first, so that the verdict follows from it. */
export const VOTE_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    reason: { type: "string", description: "In one or two sentences, what tells them apart" },
    better: { type: "string", enum: ["A", "B"], description: "The better continuation" },
  },
  required: ["reason", "better"],
  additionalProperties: false,
};

/**
 * Asks which of two continuations of the same work is better, for one letter (pairwise comparison of
 * ToT-DFS in BTP). Who asks does it twice, the other way round the second time, since models favour a
 * place.
 */
export function votePrompt(input: VoteInput): Prompt<"vote"> {
  return {
    stage: "vote",
    once: true,
    input,
    messages: [new SystemMessage(instructions(input)), new HumanMessage(comparison(input))],
    schema: VOTE_SCHEMA,
  };
}

function instructions({ background }: VoteInput): string {
  return [
    "An agent works on a request in steps, with tools. You are shown the steps that it has made and two continuations of them, A and B, and say which one brings it nearer to a complete and correct answer.",
    "A continuation is better when its results hold more of what the request asks for, or make a good basis for the next step. Errors, empty results, repeated calls, values that nothing gives, and giving up while something can still be done speak against one. Neither its length nor its place does. Each stands alone: judge it as if the other had not been made. Where they are equally good, either letter will do.",
    'Reply with a JSON object: {"reason": "...", "better": "A"} or {"reason": "...", "better": "B"}.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function comparison({ request, earlierTurns, history, first, second }: VoteInput): string {
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    historyText(history),
    `Continuation A\n${continuationText(first)}`,
    `Continuation B\n${continuationText(second)}`,
    "Which continuation is better, A or B?",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function historyText(history: readonly Attempt[]): string {
  if (history.length === 0) return "";
  const steps = history.map((step, at) => `Step ${at + 1}\n${continuationText(step)}`);
  return ["The steps before both continuations:", ...steps].join("\n\n");
}

function continuationText(step: Attempt): string {
  return attemptText(step) || "(nothing)";
}
