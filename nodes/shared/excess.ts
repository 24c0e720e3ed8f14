import type { AIMessage } from "@langchain/core/messages";
import {
  LONGEST_MESSAGE,
  LONGEST_PHRASE,
  MOST_CALLS,
  MOST_PHRASES,
  MOST_STEPS,
  counted,
} from "../../common/bounds.js";
import type { Plan } from "../../plans/steps/plan.js";

/** What a reply has too much of, and what the model should do about it. */
export interface Excess {
  excess: string;
  instead: string;
}

/** What exceeds the limits of any reply, if anything. */
export function excessOfReply(reply: AIMessage): Excess | undefined {
  const { text, tool_calls = [], invalid_tool_calls = [] } = reply;
  const calls = tool_calls.length + invalid_tool_calls.length;
  if (calls > MOST_CALLS) {
    return {
      excess: `${counted(calls)} calls, and at most ${MOST_CALLS} can be made at once`,
      instead: "None was made; send those that come first.",
    };
  }
  const written = [...tool_calls.map(({ args }) => JSON.stringify(args)), text];
  const unread = invalid_tool_calls.map(({ args = "" }) => args);
  const length = [...written, ...unread].reduce((sum, part) => sum + part.length, 0);
  if (length <= LONGEST_MESSAGE) return undefined;
  return {
    excess: `${counted(length)} characters, and at most ${counted(LONGEST_MESSAGE)} are read`,
    instead: "Reply again, and shorter.",
  };
}

/** What exceeds the limits of a plan, if anything. */
export function excessOfPlan({ steps }: Plan): string | undefined {
  if (steps.length > MOST_STEPS) {
    return `it has ${counted(steps.length)} steps, and a plan has at most ${MOST_STEPS}`;
  }
  return undefined;
}

/** What exceeds the limits of one search, if anything. */
export function excessOfPhrases(phrases: readonly string[]): string | undefined {
  if (phrases.length > MOST_PHRASES) {
    return `at most ${MOST_PHRASES} phrases can be searched for at once, and these are ${counted(phrases.length)}`;
  }
  const length = Math.max(0, ...phrases.map((phrase) => phrase.length));
  if (length <= LONGEST_PHRASE) return undefined;
  return `a phrase to search for has at most ${counted(LONGEST_PHRASE)} characters, and one has ${counted(length)}; say it in a few words`;
}
