import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { parseJson } from "../../common/jsonInText.js";
import { leavesOf } from "../../plans/grounding/leaves.js";
import { splitConversation } from "../../state/history.js";
import type { GraphState } from "../../state/state.js";
import { DECOMPOSE_TASK, FINISH, SEARCH_LIBRARY, STOP } from "../../tools/control.js";

/** Control tools that do nothing themselves; those that change the library do. */
const NO_RESULTS = new Set([STOP, FINISH, SEARCH_LIBRARY, DECOMPOSE_TASK].map(({ name }) => name));

/**
 * Whether an answer rests on what earlier runs of the thread have found: it states something that a result of
 * theirs gives and the request does not. What stands in the request proves nothing.
 */
export function restsOnEarlier(answer: string, state: GraphState): boolean {
  const results = earlierResults(state);
  if (results.length === 0) return false;
  const data = results.map((text) => parseJson(text) ?? text);
  const { request } = state.run;
  const isInRequest = (words: string) => wordsOf(request).includes(words);
  const said = wordsOf(answer);
  const told = data.flatMap((result) => leavesOf(result).filter((leaf) => isTelling(leaf, result)));
  if (told.map(wordsOf).some((words) => said.includes(words) && !isInRequest(words))) return true;
  const unfound = placesOf(answer, { texts: results, values: data });
  return [...placesOf(answer, { texts: [request], values: [] })].some((at) => !unfound.has(at));
}

/** A name or several words. One small word (closed, done) can be said by anybody, and so can a result of one word. */
function isTelling(leaf: unknown, result: unknown): leaf is string {
  if (typeof leaf !== "string") return false;
  return (
    /[\p{L}\p{N}]\s+[\p{L}\p{N}]/u.test(leaf) || (leaf !== result && /^\p{Lu}\p{Ll}+$/u.test(leaf))
  );
}

/** Where an answer states values that its sources do not give. */
function placesOf(answer: string, sources: Parameters<typeof knownIn>[0]): Set<number> {
  const values = ungroundedValues(answer, knownIn(sources));
  return new Set(values.map(({ start }) => start));
}

/** A task tree takes its calls out of the conversation: there the answers, which rest on them, stand for them. */
function earlierResults(state: GraphState): string[] {
  const { earlier } = splitConversation(state);
  const results = earlier.filter((message) => ToolMessage.isInstance(message));
  const made = results.filter(
    ({ name = "", status }) => status !== "error" && !NO_RESULTS.has(name),
  );
  if (results.length > 0 || state.earlierCalls.length === 0) return made.map(({ text }) => text);
  return earlier.filter((message) => AIMessage.isInstance(message)).map(({ text }) => text);
}
