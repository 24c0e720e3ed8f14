import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { sharedStart } from "../common/nearNames.js";
import { estimateTokens } from "../common/tokens.js";
import type { Usage } from "../state/state.js";
import { isLocalModel, LEAST_CACHED } from "./prices.js";
import type { ModelRequest } from "./prompt.js";

/** The tokens a call used: as the provider reports, else estimated and marked as such. */
export function usageOf(options: { reply: AIMessage; question: ModelRequest }): Partial<Usage> {
  const { reply, question } = options;
  const reported = reply.usage_metadata;
  if (reported) {
    const { input_tokens: inputTokens } = reported;
    const told = reported.input_token_details?.cache_read;
    const cachedTokens = told ?? likelyCached(question, inputTokens);
    return {
      inputTokens,
      ...(cachedTokens > 0 ? { cachedTokens } : {}),
      ...(cachedTokens > 0 && told === undefined ? { cacheEstimated: true } : {}),
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

/** The last prompts to each model, the latest last. */
const PROMPTS = new Map<string, string[]>();

/** Most prompts of a model that are compared, and most characters of each. */
const MOST_KEPT = { prompts: 32, characters: 100_000 };

/** Providers keep beginnings in blocks of this many tokens. */
const BLOCK = 128;

/**
 * An estimate of the tokens that a provider has read from its cache: those of the longest beginning that an earlier prompt of
 * this process had, too, in whole blocks. 0 for models that nobody sells.
 */
function likelyCached({ prompt, tools = [], settings }: ModelRequest, tokens: number): number {
  const { model } = settings;
  if (isLocalModel(model)) return 0;
  const whole = JSON.stringify([tools, prompt.messages.map(parts)]);
  const text = whole.slice(0, MOST_KEPT.characters);
  const before = PROMPTS.get(model) ?? [];
  let common = 0;
  // Most prompts differ at the same place: at the first letter of the request.
  for (const one of before)
    if (one[common] === text[common]) common = Math.max(common, sharedStart([one, text]).length);
  PROMPTS.set(model, [...before, text].slice(-MOST_KEPT.prompts));
  const shared = Math.floor((tokens * common) / whole.length / BLOCK) * BLOCK;
  return shared >= LEAST_CACHED ? shared : 0;
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
