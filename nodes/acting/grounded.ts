import { isValue, ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { numbersIn } from "../../plans/grounding/writtenValues.js";
import { leavesOf, valueText } from "../../plans/grounding/valueText.js";
import type { Known } from "../../plans/grounding/sources.js";
import { wholeResult } from "../shared/wholeResult.js";
import { type Call, type GraphState, unservedTasks } from "../../state/state.js";
import { taskAtHand } from "../../state/taskTree.js";
import { isNoAnswer } from "./emptyAnswer.js";
import { resultInWords, resultsInWords } from "../shared/resultsInWords.js";

/** The unsupported values of an answer; empty if it may go out. */
export function doubtsAbout(answer: string, known: Known): string[] {
  return [...new Set(ungroundedValues(answer, known).map(({ written }) => written.trim()))];
}

/** What the model is told about an answer with unsupported values. */
export function doubtsText(doubts: readonly string[], instead: string): string {
  return `Neither the request nor a result gives: ${doubts.join("; ")}. ${instead}`;
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
  const executed = calls.filter(({ refused }) => !refused);
  const found = resultsInWords({ calls: [...executed] });
  if (isNoAnswer(answer, { inWords })) return { answer: found || NO_RESULT, solved: false };
  const ungrounded = ungroundedValues(answer, known);
  if (ungrounded.length === 0) return { answer, solved: claimed };
  const result = claimed ? soleResult({ state, calls }) : undefined;
  if (result !== undefined) {
    return { answer: `The result is ${valueText(result)}.`, solved: true };
  }
  const hasPlaceholder = ungrounded.some(({ kind }) => kind === "placeholder");
  const own = claimed ? `No tool confirms this: ${answer}` : answer;
  const instead = hasPlaceholder ? NO_RESULT : own;
  return { answer: found || instead, solved: false };
}

const NO_RESULT = "No tool has given a result.";

/**
 * The one value the calls led to, if it can be the whole answer: nothing failed last, nothing is lacking, and
 * each number in the request went into a call.
 */
export function soleResult(options: {
  state: GraphState;
  calls: readonly Call[];
}): string | number | boolean | undefined {
  const { state, calls } = options;
  const executed = calls.filter(({ refused }) => !refused);
  const results = new Map(lastCalls(executed).map((call) => [resultInWords(call), call]));
  const [last, ...others] = results.values();
  const isWhole =
    others.length === 0 &&
    executed.at(-1)?.error === undefined &&
    !lacksPart(state) &&
    isAllUsed(state, executed);
  const result = last && isWhole ? wholeResult(last) : undefined;
  return isValue(result) ? result : undefined;
}

/** Successful calls whose results no later call used. */
function lastCalls(calls: readonly Call[]): Call[] {
  const done = calls.filter(({ error, refused }) => error === undefined && !refused);
  return done.filter((call, at) => {
    const given = new Set(done.slice(at + 1).flatMap(({ args }) => leavesOf(args)));
    return !leavesOf(wholeResult(call)).some((leaf) => given.has(leaf));
  });
}

/** What the current calls are for: the request, or the tree task being solved. */
export function taskText(state: GraphState): string {
  return taskAtHand(state)?.text ?? state.run.request;
}

/** The numbers that a text states. */
export function numbersOf(text: string): number[] {
  return numbersIn(text).map(({ value }) => value);
}

function isAllUsed(state: GraphState, calls: readonly Call[]): boolean {
  const given = new Set(calls.flatMap(({ args }) => leavesOf(args).map((leaf) => Number(leaf))));
  return numbersOf(taskText(state)).every((value) => given.has(value) || given.has(-value));
}

function lacksPart(state: GraphState): boolean {
  return unservedTasks(state).length > 0;
}
