import { randomUUID } from "node:crypto";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, getBufferString } from "@langchain/core/messages";
import { estimateTokens } from "../../models/modelTokens.js";
import { SIMULATED_POLICY } from "./policyParameters.js";

/** A tool call of the policy; the message adds an id. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** A reply of the policy: text, and a call if it makes one. */
export interface SimulatedReply {
  text: string;
  call?: PlannedCall;
}

/** A structured reply. */
export function jsonReply(value: unknown): SimulatedReply {
  return { text: JSON.stringify(value) };
}

/** A reply as a message, with ids for its calls and token counts that are marked as estimated. */
export function toMessage(options: {
  reply: SimulatedReply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
}): AIMessage {
  const { reply, messages, tools } = options;
  const { text, call } = reply;
  const calls = call ? [call] : [];
  const input = estimateTokens(getBufferString(messages) + asJson(tools));
  const output = estimateTokens(text + asJson(calls));
  return new AIMessage({
    content: text,
    tool_calls: calls.map((each) => ({ ...each, id: `call_${randomUUID()}`, type: "tool_call" })),
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: SIMULATED_POLICY, estimatedUsage: true },
  });
}

function asJson(items: readonly unknown[]): string {
  return items.length > 0 ? JSON.stringify(items) : "";
}
