import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { ControlTool } from "../tools/control.js";
import type { GraphState } from "./state.js";

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
