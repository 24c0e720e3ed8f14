import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { ControlTool } from "../tools/control.js";
import { pathTo } from "./searchTree.js";
import type { Call, GraphState } from "./state.js";
import { splitConversation } from "./history.js";
import { beginning } from "../common/text.js";

/** The model's last reply, with its unanswered calls in order. */
export function openCalls({ messages }: Pick<GraphState, "messages">): {
  reply: AIMessage;
  calls: ToolCall[];
} {
  const at = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const reply = messages[at];
  if (!AIMessage.isInstance(reply)) return { reply: new AIMessage(""), calls: [] };
  const answered = new Set(
    messages
      .slice(at + 1)
      .flatMap((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : [])),
  );
  const calls = (reply.tool_calls ?? []).filter(({ id }) => !answered.has(id ?? ""));
  return { reply, calls };
}

/** The unanswered calls of some control tools. */
export function openCallsOf(
  state: Pick<GraphState, "messages">,
  ...controls: readonly ControlTool[]
): ToolCall[] {
  const names = new Set(controls.map(({ name }) => name));
  return openCalls(state).calls.filter(({ name }) => names.has(name));
}

/** The calls the model sees: a branch of a step search, or a task in a tree, sees only its own. */
export function visibleCalls(state: GraphState): GraphState["calls"] {
  const { tree, taskTree, calls } = state;
  if (taskTree) return callsOfTask(state);
  if (!tree) return calls;
  const ids = new Set(pathTo(tree, tree.cursor).flatMap((node) => node.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => ids.has(id));
}

/** The calls made for the current task: those in the conversation since the request. */
export function callsOfTask(state: GraphState): GraphState["calls"] {
  const own = new Set(
    splitConversation(state).since.flatMap((message) =>
      AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id) : [],
    ),
  );
  return state.calls.filter(({ id }) => own.has(id));
}

export function hasSucceeded({ error, refused }: Pick<Call, "error" | "refused">): boolean {
  return error === undefined && !refused;
}

/** The tools that were called, each once. Refused calls are left out: they returned nothing. */
export function toolsCalled(calls: GraphState["calls"]): string[] {
  return [...new Set(calls.flatMap(({ tool, refused }) => (refused ? [] : tool)))];
}

/**
 * Tools that were called and never helped (BTP: "useless"). A tool that helped once is never among them,
 * however often it fails.
 */
export function uselessTools(calls: readonly Call[]): Set<string> {
  const helped = new Set(calls.filter(({ helpful }) => helpful === true).map(({ tool }) => tool));
  return new Set(
    calls
      .filter(({ tool, helpful }) => helpful === false && !helped.has(tool))
      .map(({ tool }) => tool),
  );
}

/** Characters of a result kept as experience and shown to a judge, as published (BTP). */
export const OBSERVATION_LENGTH = 1024;

export function cutObservation(text: string): string {
  return beginning(text, OBSERVATION_LENGTH);
}

/** The first part of a result on one line, with white space collapsed. */
export function observationLine(text: string): string {
  return cutObservation(text.replaceAll(/\s+/g, " ").trim());
}
