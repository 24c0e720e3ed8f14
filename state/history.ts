import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";

const INTERRUPTED = "Error: the run was interrupted before this call was answered.";

/**
 * What makes a conversation valid again after a run that was broken off: providers refuse a history
 * in which a call has no answer. Empty when nothing is to be mended.
 */
export function mendedHistory(messages: readonly BaseMessage[]): BaseMessage[] {
  const answered = new Set(
    messages.flatMap((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : [])),
  );
  const mended = messages.flatMap((message) => [message, ...missingAnswers(message, answered)]);
  if (mended.length === messages.length) return [];
  return [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...mended];
}

function missingAnswers(message: BaseMessage, answered: ReadonlySet<string>): ToolMessage[] {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls
    .filter(({ id }) => !answered.has(id ?? ""))
    .map(
      ({ id, name }) =>
        new ToolMessage({ tool_call_id: id ?? "", name, content: INTERRUPTED, status: "error" }),
    );
}
