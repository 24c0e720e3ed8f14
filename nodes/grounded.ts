import { isValue, placeOf } from "../plans/grounding/mended.js";
import type { Known } from "../plans/grounding/sources.js";
import { ungroundedValues } from "../plans/grounding/ungrounded.js";
import { valueText } from "../plans/valueText.js";
import { wholeResult } from "../resources/wholeResult.js";
import { type Call, type GraphState, unservedTasks } from "../state/state.js";
import { lastCalls } from "./lastResults.js";
import { resultsInWords } from "./results.js";

/** What the values of an answer are that come from nowhere; empty for an answer that may go out. */
export function doubtsAbout(answer: string, known: Known): string[] {
  return [...new Set(ungroundedValues(answer, known).map(({ written }) => written.trim()))];
}

/** What the model is told of an answer with values that come from nowhere. */
export function doubtsText(doubts: readonly string[], instead: string): string {
  return `Neither the request nor a result of a call gives: ${doubts.join("; ")}. ${instead}`;
}

/**
 * What is answered in place of an answer that holds values from nowhere, though the model was told: the result,
 * where there is one that is the whole matter, in the place of what was made up; otherwise all that the
 * calls have given, and the run has not solved its request.
 *
 * @param options.calls those that the answer is about
 * @param options.claimed whether the model takes the request for solved
 */
export function groundedAnswer(options: {
  state: GraphState;
  calls: readonly Call[];
  answer: string;
  known: Known;
  claimed: boolean;
}): { answer: string; solved: boolean } {
  const { state, calls, answer, known, claimed } = options;
  const ungrounded = ungroundedValues(answer, known);
  if (ungrounded.length === 0) return { answer, solved: claimed };
  const executed = calls.filter(({ refused }) => !refused);
  const [last, ...others] = lastCalls(executed);
  const isWhole =
    claimed && others.length === 0 && executed.at(-1)?.error === undefined && !lacksPart(state);
  const result = last && isWhole ? wholeResult(last) : undefined;
  if (isValue(result)) {
    const place = placeOf({ text: answer, ungrounded, result });
    const told = valueText(result);
    return {
      answer: place
        ? `${answer.slice(0, place.start)}${told}${answer.slice(place.end)}`
        : `The result is ${told}.`,
      solved: true,
    };
  }
  const found = resultsInWords({ calls: [...executed] });
  const hasPlaceholder = ungrounded.some(({ kind }) => kind === "placeholder");
  const own = claimed ? `No tool confirms this: ${answer}` : answer;
  const instead = hasPlaceholder ? "No tool has given a result." : own;
  return { answer: found || instead, solved: false };
}

function lacksPart(state: GraphState): boolean {
  return unservedTasks(state).length > 0 || (state.plan?.lacking.length ?? 0) > 0;
}
