import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { estimateTokens } from "../common/tokens.js";
import type { Usage } from "../state/state.js";
import type { ModelRequest } from "./prompt.js";

/** The tokens a call used: as the provider reports, else estimated and marked as such. */
export function usageOf(options: { reply: AIMessage; question: ModelRequest }): Partial<Usage> {
  const { reply, question } = options;
  const reported = reply.usage_metadata;
  if (reported) {
    return {
      inputTokens: reported.input_tokens,
      outputTokens: reported.output_tokens,
      ...(reply.response_metadata["estimatedUsage"] ? { estimated: true } : {}),
    };
  }
  const { prompt, tools = [] } = question;
  return {
    inputTokens: estimateTokens(
      JSON.stringify([prompt.messages.map(parts), tools, prompt.schema ?? ""]),
    ),
    outputTokens: estimateTokens(JSON.stringify(parts(reply))),
    estimated: true,
  };
}

/** Tokens that a provider may add around a message, a tool or a reply's schema. */
const TOKENS_AROUND = 16;

/** An upper bound of a question's tokens for any tokenizer: none makes more tokens than bytes. */
export function mostTokens({ prompt, tools = [] }: Pick<ModelRequest, "prompt" | "tools">): number {
  const shown = [prompt.messages.map(parts), tools, prompt.schema ?? ""];
  const around = TOKENS_AROUND * (prompt.messages.length + tools.length + 1);
  return Buffer.byteLength(JSON.stringify(shown)) + around;
}

function parts(message: BaseMessage): unknown[] {
  const { text } = message;
  return AIMessage.isInstance(message)
    ? [text, message.tool_calls, message.invalid_tool_calls]
    : [text];
}
