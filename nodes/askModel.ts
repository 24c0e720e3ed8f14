import type { AIMessage } from "@langchain/core/messages";
import { type Question, ask } from "../models/ask.js";
import type { Stage } from "../prompts/stages.js";
import { type GraphState, type StateUpdate, type Usage, addUsage } from "../state/state.js";

/** A reply with what the run has used by then, or the update with which the run ends instead. */
export type Asked = { reply: AIMessage; usage: Usage } | { end: StateUpdate };

/**
 * Asks a model at a stage. The run ends when a limit forbids to ask (`respond` says what was found so
 * far), and when the model refuses, as providers report it beside the reply.
 */
export async function askModel<S extends Stage>(
  state: GraphState,
  question: Omit<Question<S>, "usage">,
): Promise<Asked> {
  const answer = await ask({ ...question, usage: state.usage });
  if ("limit" in answer) {
    const text = `Stopped by ${answer.limit} before the request was answered.`;
    return { end: { status: "limit", answer: text } };
  }
  const usage = addUsage(state.usage, answer.used);
  const refusal = answer.reply.additional_kwargs["refusal"];
  if (typeof refusal === "string" && refusal) {
    return { end: { repair: null, status: "unsolved", answer: refusal, usage } };
  }
  return { reply: answer.reply, usage };
}
