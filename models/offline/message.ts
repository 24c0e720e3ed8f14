import { randomUUID } from "node:crypto";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, getBufferString } from "@langchain/core/messages";
import { OFFLINE_MODEL } from "../../state/context.js";
import { estimateTokens } from "../modelTokens.js";

/** A tool call without an id, which the message adds. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** What the planner says: text, calls, or a refusal (which is also the text). */
export type Reply = { text: string; refusal?: true } | { calls: PlannedCall[] };

/** A reply as a message, with call ids and estimated tokens, marked as such. */
export function toMessage(options: {
  reply: Reply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
}): AIMessage {
  const { reply, messages, tools } = options;
  const text = "text" in reply ? reply.text : "";
  const calls = "calls" in reply ? reply.calls : [];
  const input =
    estimateTokens(getBufferString(messages)) +
    (tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0);
  const output =
    estimateTokens(text) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
  return new AIMessage({
    content: text,
    tool_calls: calls.map((call) => ({ ...call, id: `call_${randomUUID()}`, type: "tool_call" })),
    additional_kwargs: "refusal" in reply ? { refusal: text } : {},
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: OFFLINE_MODEL, estimatedUsage: true },
  });
}
