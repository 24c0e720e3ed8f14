import type { AIMessage } from "@langchain/core/messages";
import {
  LONGEST_MESSAGE,
  LONGEST_PHRASE,
  MOST_CALLS,
  MOST_PHRASES,
  clipped,
  counted,
} from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { type GraphState, type StateUpdate, type Usage } from "../../state/state.js";

/** How often a model is asked at one stage before its replies count as unusable. */
const MAX_ATTEMPTS = 3;

/** Most characters of an unusable reply shown to the model again. */
const SHOWN_TO_MODEL = 1000;

/** Most characters of it shown to the user. */
const SHOWN_TO_USER = 200;

/**
 * The update after an unusable reply: the stage is revisited, and the model is shown its reply and what was
 * wrong. After three such replies the stage does without if it can; otherwise the run ends with status `error`.
 */
export function repairOrEnd(options: {
  state: GraphState;
  stage: string;
  /** For the model: what was wrong and what to reply instead. */
  problem: string;
  /** Absent if it was empty. */
  reply?: AIMessage;
  /** What the run has used, including the unusable reply. */
  usage: Usage;
  /** The stage's update without the model. */
  instead?: StateUpdate;
}): StateUpdate {
  const { state, stage, problem, reply, usage, instead } = options;
  const attempts = attemptsAt(state, stage) + 1;
  const said = reply ? saidIn(reply) : "";
  if (attempts < MAX_ATTEMPTS) {
    const shown = said ? { reply: clipped(said, SHOWN_TO_MODEL) } : {};
    return { repair: { stage, problem, attempts, ...shown }, usage };
  }
  if (instead) return { ...instead, repair: null, usage };
  const last = said ? ` The last one was: ${clipped(oneLine(said), SHOWN_TO_USER)}` : "";
  const answer = `The model gave no usable reply at ${stage}, ${attempts} times in a row.${last}`;
  return { repair: null, status: "error", answer, usage };
}

/** How many unusable replies the model gave at this stage. */
export function attemptsAt({ repair }: GraphState, stage: string): number {
  return repair?.stage === stage ? repair.attempts : 0;
}

/** What to tell the model about its last reply at this stage, if that was unusable. */
export function problemAt({ repair }: GraphState, stage: string): string | undefined {
  if (repair?.stage !== stage) return undefined;
  const { reply, problem } = repair;
  return reply ? `Your last reply was:\n"""\n${reply}\n"""\n\n${problem}` : problem;
}

/** A reply as text, including its calls. */
function saidIn({ text, tool_calls = [], invalid_tool_calls = [] }: AIMessage): string {
  const calls = tool_calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  const invalid = invalid_tool_calls.map(({ name, args }) => `${name}(${args})`);
  return [text.trim(), ...calls, ...invalid].filter(Boolean).join("\n");
}

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

/** What exceeds the limits of one search, if anything. */
export function excessOfPhrases(phrases: readonly string[]): string | undefined {
  if (phrases.length > MOST_PHRASES) {
    return `at most ${MOST_PHRASES} phrases can be searched for at once, and these are ${counted(phrases.length)}`;
  }
  const length = Math.max(0, ...phrases.map((phrase) => phrase.length));
  if (length <= LONGEST_PHRASE) return undefined;
  return `a phrase to search for has at most ${counted(LONGEST_PHRASE)} characters, and one has ${counted(length)}; say it in a few words`;
}
