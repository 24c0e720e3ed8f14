import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { clipped } from "../../common/text.js";
import { valueText } from "../../plans/grounding/valueText.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { type LinePart, wholeResult } from "../kit/stage.js";

const LONGEST_VALUE = 100;

/** A call as a person would write it, for a stage's line. */
export function callParts({ tool, args }: Pick<Call, "tool" | "args">): LinePart[] {
  const given = Object.entries(args).map(([name, value]) => `${name}=${jsonText(value)}`);
  return [{ strong: tool }, `(${given.join(", ")})`];
}

/** A value as JSON, cut if long. */
export function jsonText(value: unknown): string {
  return clipped(JSON.stringify(value) ?? "nothing", LONGEST_VALUE);
}

/** Most characters of a result that are told; the calls keep it whole. */
const LONGEST_RESULT = 600;

/** The results of a run's calls, each once, for an answer cut short; empty if there are none. */
export function resultsInWords({ calls }: Pick<GraphState, "calls">): string {
  const results = calls.filter(({ error }) => error === undefined).map(resultInWords);
  if (results.length === 0) return "";
  return `Results so far: ${[...new Set(results)].join("; ")}.`;
}

/** `area_circle (radius: 3): 28.2743`. */
export function resultInWords(call: Call): string {
  return `${callInWords(call)}: ${clipped(valueText(wholeResult(call)), LONGEST_RESULT)}`;
}

/** `area_circle (radius: 3)`; with a bound, the arguments are cut. */
export function callInWords({ tool, args }: Call, most = Infinity): string {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${valueText(value)}`);
  return given.length > 0 ? `${tool} (${clipped(given.join(", "), most)})` : tool;
}

/** A thrown error is reported with its name. */
const NAMED_ERROR = /^\w*Error: /;

/** The answer to a call, as shown to the model. */
export function toolAnswer(
  { id, name }: Pick<ToolCall, "id" | "name">,
  { text, failed = false }: { text: string; failed?: boolean },
): ToolMessage {
  return new ToolMessage({
    tool_call_id: id ?? "",
    name,
    content: failed && !NAMED_ERROR.test(text) ? `Error: ${text}` : text,
    status: failed ? "error" : "success",
  });
}

/** Answers to calls, for a person. */
export function answerLines(messages: StateUpdate["messages"]): string[] {
  const list = Array.isArray(messages) ? messages : [messages];
  return list.flatMap((message) =>
    ToolMessage.isInstance(message) ? message.text.split("\n") : [],
  );
}
