import type { GraphState } from "../state/state.js";

/** Asks again after an unusable reply, and searches else. */
export function routeAfterPhraseSearch({ repair }: GraphState): "phraseSearch" | "search" {
  return repair ? "phraseSearch" : "search";
}

/** Takes misses down a level before anything is done. */
export function routeAfterSearch({ subtasks }: GraphState): "recurse" | "act" {
  return subtasks.some(({ status }) => status === "missed") ? "recurse" : "act";
}
