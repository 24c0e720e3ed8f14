import type { OpenAIClient } from "@langchain/openai";
import { isPlainObject } from "../../plans/steps/references.js";

type Part = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Written = Record<string, unknown>;

/** A call whose parts arrive: the endpoint's number of it, if it has one, and what is known of it. */
interface OpenCall {
  index: unknown;
  id: unknown;
  name: unknown;
}

/**
 * The parts of a streamed reply in one form, whatever the endpoint: whole messages, contents in parts, arguments as
 * objects, and calls without numbers or with the same.
 */
export async function* withEvenParts(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const calls: OpenCall[] = [];
  for await (const part of parts) {
    const choices = Array.isArray(part.choices) ? part.choices : [];
    yield {
      ...part,
      choices: choices.map((choice) => ({ ...choice, delta: evenDelta(choice, calls) })),
    };
  }
}

function evenDelta(choice: object, calls: OpenCall[]): Part["choices"][number]["delta"] {
  const { delta: given, message, text } = choice as Written;
  const delta = [given, message].find(isPlainObject) ?? { content: text };
  const { content, tool_calls: listed, function_call: single, ...others } = delta;
  const called: unknown[] = listed
    ? [listed].flat()
    : isPlainObject(single)
      ? [{ function: single }]
      : [];
  return {
    ...others,
    ...evenContent(content),
    ...(called.length > 0 ? { tool_calls: called.filter(isPlainObject).map(evenCall(calls)) } : {}),
  };
}

/** A text, with the thoughts among its parts beside it. */
function evenContent(content: unknown): Written {
  if (typeof content !== "object" || content === null) return { content };
  const parts: unknown[] = [content].flat();
  const thought = textOf(parts.filter(isThought));
  const text = textOf(parts.filter((part) => !isThought(part)));
  return { content: text, ...(thought ? { reasoning_content: thought } : {}) };
}

function isThought(part: unknown): boolean {
  return isPlainObject(part) && /thinking|reasoning/.test(String(part["type"]));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (!isPlainObject(value)) return "";
  return textOf(value["text"] ?? value["thinking"] ?? value["reasoning"] ?? value["content"]);
}

function evenCall(calls: OpenCall[]) {
  return ({ index, id, function: inside, ...flat }: Written) => {
    const { name, arguments: args } = isPlainObject(inside) ? inside : flat;
    const at = placeOf({ index, id, name }, calls);
    const known = calls[at];
    const isNew = known === undefined;
    if (isNew) calls.push({ index, id, name });
    const text = typeof args === "object" && args !== null ? JSON.stringify(args) : args;
    return {
      index: isNew ? calls.length - 1 : at,
      type: "function" as const,
      ...(isNew && typeof id === "string" ? { id } : {}),
      function: {
        ...(typeof name === "string" && name !== known?.name ? { name } : {}),
        ...(typeof text === "string" ? { arguments: text } : {}),
      },
    };
  };
}

/** The call that a part continues; -1 for a new one. Only the first part of a call has a name, or all have the same. */
function placeOf({ index, id, name }: OpenCall, calls: readonly OpenCall[]): number {
  const isOther = (call: OpenCall) => Boolean(name && id && call.id && call.id !== id);
  if (typeof index === "number") {
    const at = calls.findLastIndex((call) => call.index === index);
    const call = calls[at];
    return call && isOther(call) ? -1 : at;
  }
  if (name) return id ? calls.findIndex((call) => call.id === id) : -1;
  return calls.length - 1;
}
