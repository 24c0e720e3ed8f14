import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageFields,
  type BaseMessage,
} from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { DEEPEST_ARGUMENTS, LONGEST_NAME } from "../../common/bounds.js";
import { beginning } from "../../common/text.js";
import { jsonInText, parseJson } from "../../common/jsonInText.js";
import { isPlainObject } from "../../plans/steps/references.js";

/** More characters than tokens have on average; a longer reply is from a provider that ignores the token limit. */
const CHARACTERS_PER_TOKEN = 16;

/** How long chunks are read in one go before timers and other work get a turn. */
const TURN_MS = 20;

/**
 * Assembles the chunks of a streamed reply. Reading stops at the token limit, and the reply then counts as cut
 * short. An aborted signal stops it even if chunks arrive without pause.
 *
 * @returns undefined if there was no chunk at all
 * @throws the reason of the signal
 */
export async function readStream(options: {
  parts: AsyncIterable<AIMessage | AIMessageChunk>;
  signal: AbortSignal;
  maxTokens: number;
}): Promise<AIMessage | AIMessageChunk | undefined> {
  const { parts, signal, maxTokens } = options;
  const read: (AIMessage | AIMessageChunk)[] = [];
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  let turnEnds = performance.now() + TURN_MS;
  for await (const part of parts) {
    read.push(part);
    left -= lengthOf(part);
    if (left < 0) return cutShort(joined(read));
    if (performance.now() < turnEnds) continue;
    // While chunks are available, timers get no turn, and neither would the deadline.
    await setImmediate();
    signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  return joined(read);
}

function lengthOf(part: AIMessage | AIMessageChunk): number {
  const chunks = part instanceof AIMessageChunk ? (part.tool_call_chunks ?? []) : [];
  const beside = Object.values(part.additional_kwargs).map((value) =>
    typeof value === "string" ? value.length : 0,
  );
  const lengths = [part.text.length, ...chunks.map(({ args }) => args?.length ?? 0), ...beside];
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Joins chunks pairwise: appending one by one would take quadratic time. */
function joined(parts: (AIMessage | AIMessageChunk)[]): AIMessage | AIMessageChunk | undefined {
  let level = parts;
  while (level.length > 1) {
    level = level.flatMap((part, at) => {
      if (at % 2 === 1) return [];
      const next = level[at + 1];
      if (!next) return [part];
      // A model that does not stream sends one whole message.
      const areChunks = part instanceof AIMessageChunk && next instanceof AIMessageChunk;
      return [areChunks ? part.concat(next) : next];
    });
  }
  return level[0];
}

function cutShort(reply: AIMessage | AIMessageChunk | undefined) {
  if (reply) reply.response_metadata = { ...reply.response_metadata, finish_reason: "length" };
  return reply;
}

/**
 * A model's reply as one plain message. Arguments of streamed calls are parsed strictly here: LangChain repairs
 * broken JSON while streaming, so a truncated number would pass for another one.
 *
 * @param options.asked the messages that the reply answers. Some endpoints give every reply the same id, and
 * messages with the same id replace each other.
 */
export function assembleReply(options: {
  reply: AIMessage | AIMessageChunk;
  asked: readonly BaseMessage[];
}): AIMessage {
  const { reply, asked } = options;
  const { calls, invalid } = readableCalls(toolCalls(reply));
  const isTaken = asked.some(({ id }) => id === reply.id);
  return changedReply(reply, {
    id: reply.id && !isTaken ? reply.id : randomUUID(),
    additional_kwargs: withoutCalls(reply.additional_kwargs),
    tool_calls: calls,
    invalid_tool_calls: invalid,
  });
}

/**
 * A reply whose text is another one, as without its thoughts. A provider's own parts, such as signed thoughts, stay
 * beside calls only, which are sent back to it.
 */
export function withText(reply: AIMessage, text: string): AIMessage {
  const { content } = reply;
  if (typeof content === "string" && content === text) return reply;
  if (typeof content === "string" || !reply.tool_calls?.length)
    return changedReply(reply, { content: text });
  const first = content.findIndex(({ type }) => type === "text");
  const parts = content.flatMap((part, at) => {
    if (part.type !== "text") return [part];
    return at === first && text.trim() ? [{ type: "text", text }] : [];
  });
  return changedReply(reply, { content: parts });
}

/** A copy of a reply that differs in some fields. */
export function changedReply(
  reply: AIMessage | AIMessageChunk,
  changes: Partial<AIMessageFields>,
): AIMessage {
  const { id, content, additional_kwargs, response_metadata, usage_metadata } = reply;
  const { tool_calls, invalid_tool_calls } = reply;
  const beside = { additional_kwargs, response_metadata, usage_metadata };
  return new AIMessage({ id, content, ...beside, tool_calls, invalid_tool_calls, ...changes });
}

function toolCalls(reply: AIMessage | AIMessageChunk): ReadCalls {
  const chunks = reply instanceof AIMessageChunk ? (reply.tool_call_chunks ?? []) : [];
  const isRead = chunks.length === 0;
  const calls: ToolCall[] = isRead ? [...(reply.tool_calls ?? [])] : [];
  const invalid: InvalidToolCall[] = [];
  for (const { id, name, args } of isRead ? (reply.invalid_tool_calls ?? []) : chunks) {
    // No text means no arguments.
    const parsed = argumentsIn(args?.trim() || "{}");
    if (parsed) calls.push({ id, name: name ?? "", args: parsed, type: "tool_call" });
    else invalid.push({ id, name, args, error: "not a JSON object", type: "invalid_tool_call" });
  }
  return { calls, invalid };
}

/** The arguments of a call, also in a fence, in a list or written twice, unless a part of them is cut off. */
function argumentsIn(text: string): Record<string, unknown> | undefined {
  return parseObject(text) ?? (jsonInText(text).cutShort ? undefined : jsonObject(text));
}

/** The object of a JSON text; some endpoints encode it twice. */
function parseObject(text: string): Record<string, unknown> | undefined {
  const once = parseJson(text);
  const value = typeof once === "string" ? parseJson(once) : once;
  return isPlainObject(value) ? value : undefined;
}

/**
 * The JSON object in a reply; models without reply formats wrap it in prose or a fence. Undefined if there are
 * several, because it is unclear which is meant.
 */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  const whole = parseObject(text);
  if (whole) return whole;
  const objects = jsonInText(text).values.flat().filter(isPlainObject);
  const filled = objects.filter((one) => Object.keys(one).length > 0);
  const [only, ...others] = new Map(filled.map((one) => [JSON.stringify(one), one])).values();
  return others.length === 0 ? (only ?? objects[0]) : undefined;
}

/** Drops the raw calls of OpenAI's protocol, which would contradict the parsed ones. */
export function withoutCalls(kwargs: Record<string, unknown>): Record<string, unknown> {
  const { tool_calls: _calls, ...others } = kwargs;
  return others;
}

interface ReadCalls {
  calls: ToolCall[];
  invalid: InvalidToolCall[];
}

/** The problem of arguments nested too deep to process. */
export const TOO_DEEP = `nested deeper than ${DEEPEST_ARGUMENTS} levels`;

/**
 * Makes calls with too deeply nested arguments invalid, and cuts too long names. JSON of any depth can be
 * parsed, but most code that uses it is recursive.
 */
function readableCalls({ calls, invalid }: ReadCalls): ReadCalls {
  const deep = calls.filter(isTooDeep).map(({ id, name }): InvalidToolCall => ({
    id,
    name: beginning(name, LONGEST_NAME),
    error: TOO_DEEP,
    type: "invalid_tool_call",
  }));
  return {
    calls: calls
      .filter((call) => !isTooDeep(call))
      .map((call) => ({ ...call, name: beginning(call.name, LONGEST_NAME) })),
    invalid: [
      ...invalid.map((call) => ({ ...call, name: beginning(call.name ?? "", LONGEST_NAME) })),
      ...deep,
    ],
  };
}

/** The arguments themselves are one level. */
function isTooDeep({ args }: ToolCall): boolean {
  return isDeeper(args, DEEPEST_ARGUMENTS + 1);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
