import { createHash } from "node:crypto";
import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { estimateTokens } from "../../common/tokens.js";
import { LEAST_CACHED } from "../prices.js";
import { parseModelSpec } from "../providers.js";

/**
 * What helps a provider to find the beginning of a prompt in its cache: Anthropic caches up to a mark, and OpenAI sends
 * requests with one key to the same machine. Other providers, and beginnings too short for any cache, need nothing.
 *
 * @param spec the model as "provider:name"
 */
export function withCacheHelp(
  spec: string,
  messages: BaseMessage[],
): { messages: BaseMessage[]; options: { promptCacheKey?: string } } {
  const [first, ...others] = messages;
  const { provider } = parseModelSpec(spec);
  const isCached =
    first !== undefined &&
    SystemMessage.isInstance(first) &&
    estimateTokens(first.text) >= LEAST_CACHED;
  if (isCached && provider === "openai")
    return { messages, options: { promptCacheKey: keyOf(first.text) } };
  if (!isCached || provider !== "anthropic") return { messages, options: {} };
  const marked = { type: "text", text: first.text, cache_control: { type: "ephemeral" } };
  return { messages: [new SystemMessage({ content: [marked] }), ...others], options: {} };
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, KEY_LENGTH);
}

const KEY_LENGTH = 32;
