import { createHash } from "node:crypto";
import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { estimateTokens } from "../../common/tokens.js";
import { LEAST_CACHED } from "../prices.js";
import { parseModelSpec } from "../providers.js";

/**
 * What helps a provider to find the beginning of a prompt in its cache: Anthropic caches up to a mark, and a conversation that
 * goes on up to its end; OpenAI sends requests with one key to the same machine. Other providers, and beginnings too short
 * for any cache, need nothing.
 *
 * @param spec the model as "provider:name"
 */
export function withCacheHelp(
  spec: string,
  messages: BaseMessage[],
): { messages: BaseMessage[]; options: { promptCacheKey?: string; cache_control?: object } } {
  const [first, ...others] = messages;
  const { provider } = parseModelSpec(spec);
  const isCached =
    first !== undefined &&
    SystemMessage.isInstance(first) &&
    estimateTokens(first.text) >= LEAST_CACHED;
  if (isCached && provider === "openai")
    return { messages, options: { promptCacheKey: keyOf(first.text) } };
  if (provider !== "anthropic") return { messages, options: {} };
  const isLong = estimateTokens(messages.map(({ text }) => text)) >= LEAST_CACHED;
  const goesOn = isLong && others.some((message) => AIMessage.isInstance(message));
  const options = goesOn ? { cache_control: EPHEMERAL } : {};
  if (!isCached) return { messages, options };
  const marked = { type: "text", text: first.text, cache_control: EPHEMERAL };
  return { messages: [new SystemMessage({ content: [marked] }), ...others], options };
}

const EPHEMERAL = { type: "ephemeral" };

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, KEY_LENGTH);
}

const KEY_LENGTH = 32;
