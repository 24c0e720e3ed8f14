import type { AIMessage } from "@langchain/core/messages";
import { type GraphState, type StateUpdate, type Usage, addUsage } from "../state/state.js";

/** How often a model is asked at one stage before its replies count as unusable. */
const MAX_ATTEMPTS = 3;

/**
 * The update after a reply that cannot be used: the stage is visited again and the model is told
 * what was wrong; after three such replies the run ends with status `error`.
 */
export function repairOrEnd(options: {
  state: GraphState;
  stage: string;
  problem: string;
  used: Partial<Usage>;
}): StateUpdate {
  const { state, stage, problem, used } = options;
  const attempts = (state.repair?.stage === stage ? state.repair.attempts : 0) + 1;
  const usage = addUsage(state.usage, used);
  if (attempts < MAX_ATTEMPTS) return { repair: { stage, problem, attempts }, usage };
  const answer = `The model gave no usable reply at ${stage}, ${attempts} times in a row. ${problem}`;
  return { repair: null, status: "error", answer, usage };
}

/** What the model is to be told about its last reply at this stage, where that was unusable. */
export function problemAt(state: GraphState, stage: string): string | undefined {
  return state.repair?.stage === stage ? state.repair.problem : undefined;
}

/**
 * The end of a run that the model refuses to help with, as providers report it beside the reply;
 * undefined when it does not refuse.
 */
export function refusedBy(reply: AIMessage): StateUpdate | undefined {
  const refusal = reply.additional_kwargs["refusal"];
  return typeof refusal === "string" && refusal
    ? { status: "unsolved", answer: refusal }
    : undefined;
}

/** The update when a limit of the run forbids to go on; `respond` says what was found so far. */
export function limitMet(limit: string): StateUpdate {
  return { status: "limit", answer: `Stopped by ${limit} before the request was answered.` };
}
