import { type BaseMessage, AIMessage } from "@langchain/core/messages";
import type { EarlierTurn } from "../nodes/shared/stageInputs.js";
import type { GraphState } from "./state.js";

/** The conversation up to and including the current request, and what this run added to it. */
export function splitConversation({ messages }: GraphState): {
  earlier: BaseMessage[];
  since: BaseMessage[];
} {
  const request = messages.findLastIndex((message) => message.type === "human");
  return { earlier: messages.slice(0, request + 1), since: messages.slice(request + 1) };
}

/** What was said before the current request, without calls and observations. */
export function earlierTurns(state: GraphState): EarlierTurn[] {
  const { earlier } = splitConversation(state);
  return earlier.slice(0, -1).flatMap((message): EarlierTurn[] => {
    if (message.type === "human") return [{ role: "user", text: message.text }];
    const said = AIMessage.isInstance(message) && !message.tool_calls?.length && message.text;
    return said ? [{ role: "assistant", text: said }] : [];
  });
}
