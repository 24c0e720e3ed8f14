import { AIMessage } from "@langchain/core/messages";
import type { GraphState } from "../state/state.js";

/** Asks again after an unusable reply, and searches else. */
export function routeAfterPhraseSearch({ repair }: GraphState): "phraseSearch" | "search" {
  return repair ? "phraseSearch" : "search";
}

/** Takes misses down a level before anything is done. */
export function routeAfterSearch({ subtasks }: GraphState): "recurse" | "act" {
  return subtasks.some(({ status }) => status === "missed") ? "recurse" : "act";
}

/** The reply that a run has come to; an empty one where the conversation ends with something else. */
export function lastReply({ messages }: GraphState): AIMessage {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) ? last : new AIMessage("");
}
