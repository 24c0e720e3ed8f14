import type { AIMessage } from "@langchain/core/messages";
import { clipped } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { type GraphState, type StateUpdate, type Usage } from "../../state/state.js";

/** How often a model is asked at one stage before its replies count as unusable. */
export const MAX_ATTEMPTS = 3;

/** Most characters of an unusable reply that are shown to the model again. */
const SHOWN_TO_MODEL = 1000;

/** Most characters of it that are shown to the user. */
const SHOWN_TO_USER = 200;

/**
 * The update after a reply that cannot be used: the stage is visited again, and the model is shown the reply
 * and told what was wrong. After three such replies the stage does without, where it can; else the run ends
 * with status `error`.
 */
export function repairOrEnd(options: {
  state: GraphState;
  stage: string;
  /** For the model: what was wrong, and what to reply instead. */
  problem: string;
  /** Absent where there was nothing in it. */
  reply?: AIMessage;
  /** What the run has used, the unusable reply among it. */
  usage: Usage;
  /** What the stage comes to without the model. */
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

/** How often the model was asked at this stage for replies that could not be used. */
export function attemptsAt({ repair }: GraphState, stage: string): number {
  return repair?.stage === stage ? repair.attempts : 0;
}

/** What the model is to be told about its last reply at this stage, where that was unusable. */
export function problemAt({ repair }: GraphState, stage: string): string | undefined {
  if (repair?.stage !== stage) return undefined;
  const { reply, problem } = repair;
  return reply ? `Your last reply was:\n"""\n${reply}\n"""\n\n${problem}` : problem;
}

/** A reply as a text, its calls among it. */
function saidIn({ text, tool_calls = [], invalid_tool_calls = [] }: AIMessage): string {
  const calls = tool_calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  const invalid = invalid_tool_calls.map(({ name, args }) => `${name}(${args})`);
  return [text.trim(), ...calls, ...invalid].filter(Boolean).join("\n");
}
