import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { parseJson } from "../../common/jsonInText.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import { type Known, knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { valueText } from "../../plans/grounding/valueText.js";
import { numbersIn } from "../../plans/grounding/writtenValues.js";
import { taskAtHand } from "../../state/taskTree.js";
import { splitConversation } from "../../state/history.js";
import type { Settings } from "../../state/settings.js";
import { type Call, type GraphState, unservedTasks } from "../../state/state.js";
import { DECOMPOSE_TASK, FINISH, SEARCH_LIBRARY, STOP } from "../../tools/control.js";
import { isNoAnswer } from "../acting/emptyAnswer.js";
import { resultInWords, resultsInWords } from "./callTexts.js";
import { runBasics } from "../kit/runBasics.js";
import { wholeResult } from "../kit/stage.js";

/**
 * What an answer may take its values from: what was said, what tools told the model in this run and earlier
 * ones of the thread, and the calls with their full results.
 */
export function knownTo(state: GraphState, settings: Settings): Known {
  const { request, background, earlierTurns } = runBasics(state, settings);
  const { calls, edits } = state;
  const { earlier, since } = splitConversation(state);
  const told = [...earlier, ...since].filter((message) => ToolMessage.isInstance(message));
  const asked = earlier.filter((message) => AIMessage.isInstance(message));
  return knownIn({
    texts: [
      request,
      background ?? "",
      settings.instructions ?? "",
      ...earlierTurns.map(({ text }) => text),
      ...told.map(({ text }) => text),
      ...calls.flatMap(({ tool, error }) => [tool, error ?? ""]),
      ...edits.map(({ tool, reason }) => `${tool} ${reason ?? ""}`),
    ],
    values: [
      ...asked.flatMap(({ tool_calls: made = [] }) => made.map(({ args }) => args)),
      ...told.map(({ text }) => parseJson(text)),
      // A refused call says nothing about the world, and its arguments may be made up.
      ...calls.flatMap((call) => (call.refused ? [] : [call.args, wholeResult(call)])),
    ],
  });
}

/** The unsupported values of an answer; empty if it may go out. */
export function doubtsAbout(answer: string, known: Known): string[] {
  return [...new Set(ungroundedValues(answer, known).map(({ written }) => written.trim()))];
}

/** What the model is told about an answer with unsupported values. */
export function doubtsText(doubts: readonly string[], instead: string): string {
  return `These are neither in the request nor in a result: ${doubts.join("; ")}. ${instead}`;
}

/**
 * Replaces an answer that still has unsupported values after the model was told: by the one result if it covers
 * the whole request; otherwise by all results, and the run counts as unsolved.
 *
 * @param options.calls those the answer is about
 * @param options.claimed whether the model considers the request solved
 * @param options.inWords the answer is a whole reply, not passed to a control tool
 */
export function groundedAnswer(options: {
  state: GraphState;
  calls: readonly Call[];
  answer: string;
  known: Known;
  claimed: boolean;
  inWords?: boolean;
}): { answer: string; solved: boolean } {
  const { state, calls, answer, known, claimed, inWords } = options;
  const found = resultsInWords({ calls: calls.filter(({ refused }) => !refused) });
  if (isNoAnswer(answer, { inWords })) return { answer: found || NO_RESULT, solved: false };
  const ungrounded = ungroundedValues(answer, known);
  if (ungrounded.length === 0) return { answer, solved: claimed };
  const result = claimed ? soleResult(state, calls) : undefined;
  if (result !== undefined) return { answer: `The result is ${valueText(result)}.`, solved: true };
  const hasPlaceholder = ungrounded.some(({ kind }) => kind === "placeholder");
  const own = claimed ? `No tool confirms this: ${answer}` : answer;
  const instead = hasPlaceholder ? NO_RESULT : own;
  return { answer: found || instead, solved: false };
}

const NO_RESULT = "No tool returned a result.";

/**
 * The one value the calls led to, if it can be the whole answer: nothing failed last, nothing is lacking, and
 * each number in the request went into a call.
 */
function soleResult(state: GraphState, calls: readonly Call[]): unknown {
  const executed = calls.filter(({ refused }) => !refused);
  const done = executed.filter(({ error }) => error === undefined);
  // Those whose results no later call used.
  const last = done.filter((call, at) => {
    const given = new Set(done.slice(at + 1).flatMap(({ args }) => leavesOf(args)));
    return !leavesOf(wholeResult(call)).some((leaf) => given.has(leaf));
  });
  const results = new Map(last.map((call) => [resultInWords(call), wholeResult(call)]));
  const [result, ...others] = results.values();
  const isWhole =
    others.length === 0 &&
    executed.at(-1)?.error === undefined &&
    unservedTasks(state).length === 0;
  const given = new Set(executed.flatMap(({ args }) => leavesOf(args).map(Number)));
  const wanted = numbersIn(taskAtHand(state)?.text ?? state.run.request);
  const isUsed = wanted.every(({ value }) => given.has(value) || given.has(-value));
  // Longer texts are not values within a sentence.
  const isValue =
    typeof result === "string"
      ? /^.{1,80}$/.test(result)
      : ["number", "boolean"].includes(typeof result);
  return isWhole && isUsed && isValue ? result : undefined;
}

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
