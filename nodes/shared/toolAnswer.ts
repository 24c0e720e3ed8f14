import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { StateUpdate } from "../../state/state.js";

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
