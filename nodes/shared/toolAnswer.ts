import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { StateUpdate } from "../../state/state.js";

/** What a tool has thrown is told with the name of its error. */
const NAMED_ERROR = /^\w*Error: /;

/** The answer to a call, as the model is told. */
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
