import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { parseJson } from "../../common/jsonInText.js";
import { leavesOf, valueText } from "../../plans/grounding/valueText.js";
import { type Known, knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { answerValues, numbersIn } from "../../plans/grounding/writtenValues.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
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
  const { request } = state.run;
  const found = earlierResults(state);
  const topics = topicsOf(request, answer);
  const told = [...found.map(({ about }) => about), ...earlierWords(state)].join("\n");
  // "And Rome?" is not answered by what Paris has.
  if (topics.some((topic) => !isAbout(told, topic))) return false;
  const own = found.filter(({ about }) => topics.some((topic) => isAbout(about, topic)));
  const results = (own.length > 0 ? own : found).map(({ text }) => text);
  if (results.length === 0) return false;
  const data = results.map((text) => parseJson(text) ?? text);
  const isInRequest = (words: string) => wordsOf(request).includes(words);
  const said = wordsOf(answer);
  const telling = data.flatMap((result) =>
    leavesOf(result).filter((leaf) => isTelling(leaf, result)),
  );
  if (telling.map(wordsOf).some((words) => said.includes(words) && !isInRequest(words)))
    return true;
  const unfound = placesOf(answer, { texts: results, values: data });
  return [...placesOf(answer, { texts: [request], values: [] })].some((at) => !unfound.has(at));
}

function isAbout(text: string, topic: string): boolean {
  return wordsOf(text).includes(topic);
}

/** What a follow-up is about: the names, ids and addresses in it, what it asks "and …?" about, and what the answer repeats. */
function topicsOf(request: string, answer: string): string[] {
  const named = answerValues(request)
    .filter(({ kind }) => kind === "name" || kind === "id" || kind === "link")
    .map(({ written }) => written.replace(/['’]s$/, ""));
  const [, rest = ""] = ELLIPSIS.exec(request.trim()) ?? [];
  const said = wordsOf(answer);
  const shared = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = shared.filter((word) => word.length > 2 && !FEW.has(word.toLowerCase()));
  const isRepeated = (word: string) => said.includes(wordsOf(word));
  const about = words.length === 1 ? words : words.filter(isRepeated);
  return [...named, ...about].map(wordsOf);
}

/** "And checking?", "What about Rome?" */
const ELLIPSIS =
  /^(?:(?:and|what about|how about|und|was ist mit|et|y|e|en|og|och)\s+)+(?:(?:in|for|of|on|at|with|für|im|bei|von|pour|para|per|à|en|di|do|da|the|my|that of|der|die|das|le|la|el|il)\s+)*([^?.!]{2,40})[?.!]*$/iu;

/** Words that name no object: they point, order, or say in which unit or form something is wanted. */
const FEW = new Set(
  `the and that this they them then now today tomorrow yesterday there what which who how why when where first last one
  other others rest both all more most less best else oldest newest total sum average kelvin celsius fahrenheit percent
  euro euros dollar dollars hours minutes seconds days weeks metres meters miles kilometres feet pounds grams words
  english german french spanish table list detail details short brief`.split(/\s+/),
);

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
function earlierResults(state: GraphState) {
  const { earlier } = splitConversation(state);
  const replies = earlier.filter((message) => AIMessage.isInstance(message));
  const asked = new Map(
    replies.flatMap(({ tool_calls: made = [] }) =>
      made.map(({ id, args }) => [id, JSON.stringify(args)] as const),
    ),
  );
  const results = earlier.filter((message) => ToolMessage.isInstance(message));
  const made = results.filter(
    ({ name = "", status }) => status !== "error" && !NO_RESULTS.has(name),
  );
  if (results.length > 0 || state.earlierCalls.length === 0)
    return made.map(({ text, tool_call_id: id }) => ({
      text,
      about: `${asked.get(id) ?? ""} ${text}`,
    }));
  return replies.map(({ text }) => ({ text, about: text }));
}

function earlierWords(state: GraphState): string[] {
  const { earlier } = splitConversation(state);
  const said = earlier
    .filter((message) => !ToolMessage.isInstance(message))
    .map(({ text }) => text);
  // The last is the request itself.
  return said.slice(0, -1);
}
