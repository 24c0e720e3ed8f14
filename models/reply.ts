import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { randomUUID } from "node:crypto";
import { jsonInText, parseJson } from "../plans/jsonInText.js";
import { isPlainObject } from "../plans/references.js";
import { type ReadCalls, readableCalls } from "./readableCalls.js";

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
  return new AIMessage({
    id: reply.id && !isTaken ? reply.id : randomUUID(),
    content: reply.content,
    additional_kwargs: withoutCalls(reply.additional_kwargs),
    response_metadata: reply.response_metadata,
    usage_metadata: reply.usage_metadata,
    tool_calls: calls,
    invalid_tool_calls: invalid,
  });
}

function toolCalls(reply: AIMessage | AIMessageChunk): ReadCalls {
  const chunks = reply instanceof AIMessageChunk ? (reply.tool_call_chunks ?? []) : [];
  if (chunks.length === 0) {
    return { calls: reply.tool_calls ?? [], invalid: reply.invalid_tool_calls ?? [] };
  }
  const isCutShort = reply.response_metadata["finish_reason"] === "length";
  const calls: ToolCall[] = [];
  const invalid: InvalidToolCall[] = [];
  for (const { id, name, args } of chunks) {
    // No text means no arguments, unless the reply was cut short.
    const parsed = parseObject(args?.trim() || isCutShort ? args : "{}");
    if (parsed) calls.push({ id, name: name ?? "", args: parsed, type: "tool_call" });
    else invalid.push({ id, name, args, error: "not a JSON object", type: "invalid_tool_call" });
  }
  return { calls, invalid };
}

function parseObject(text = ""): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isPlainObject(value) ? value : undefined;
}

/**
 * The JSON object in a reply; models without reply formats wrap it in prose or a fence. Undefined if there are
 * several, because it is unclear which is meant.
 */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  const whole = parseObject(text);
  if (whole) return whole;
  const [only, ...others] = jsonInText(text).values.filter(isPlainObject);
  return others.length === 0 ? only : undefined;
}

/** Drops the raw calls of OpenAI's protocol, which would contradict the parsed ones. */
function withoutCalls(kwargs: Record<string, unknown>): Record<string, unknown> {
  const { tool_calls: _calls, ...others } = kwargs;
  return others;
}
