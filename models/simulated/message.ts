import { randomUUID } from "node:crypto";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, getBufferString } from "@langchain/core/messages";
import { estimateTokens } from "../tokens.js";

/** A tool call as a simulated model decides it; an id is added with the message. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** What a simulated model says: text, and one call, or several that are to run together. */
export interface SimulatedReply {
  text: string;
  call?: PlannedCall;
  calls?: readonly PlannedCall[];
}

/** A reply as a message, with ids for its calls and an estimate of the tokens, marked as an estimate. */
export function toMessage(options: {
  reply: SimulatedReply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
  /** Who says it, as "provider:name". */
  model: string;
  /** Tokens of texts, taken together. */
  countTokens?: (texts: readonly string[]) => number;
}): AIMessage {
  const { reply, messages, tools, model, countTokens = estimated } = options;
  const { text, call, calls = call ? [call] : [] } = reply;
  const input = countTokens([getBufferString(messages), asJson(tools)]);
  const output = countTokens([text, asJson(calls)]);
  return new AIMessage({
    content: text,
    tool_calls: calls.map((each) => ({ ...each, id: `call_${randomUUID()}`, type: "tool_call" })),
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: model, estimatedUsage: true },
  });
}

function estimated(texts: readonly string[]): number {
  return estimateTokens(texts.join(""));
}

function asJson(items: readonly unknown[]): string {
  return items.length > 0 ? JSON.stringify(items) : "";
}
