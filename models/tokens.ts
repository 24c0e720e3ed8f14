import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Usage } from "../state/state.js";
import type { Question } from "./ask.js";

/** Characters of English text and JSON that make a token, roughly; used only where nothing is reported. */
const CHARACTERS_PER_TOKEN = 4;

/** About how many tokens a text has, for models that report none. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The tokens that a call used: as the provider reports them, else estimated and marked as such. */
export function usageOf(options: { reply: AIMessage; question: Question }): Partial<Usage> {
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

/** What of a message counts as tokens. */
function parts(message: BaseMessage): unknown[] {
  const { text } = message;
  return AIMessage.isInstance(message)
    ? [text, message.tool_calls, message.invalid_tool_calls]
    : [text];
}
