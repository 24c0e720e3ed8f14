import { type GraphState, type StateUpdate, type Usage } from "../state/state.js";

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
  /** What the run has used, the unusable reply among it. */
  usage: Usage;
}): StateUpdate {
  const { state, stage, problem, usage } = options;
  const attempts = (state.repair?.stage === stage ? state.repair.attempts : 0) + 1;
  if (attempts < MAX_ATTEMPTS) return { repair: { stage, problem, attempts }, usage };
  const answer = `The model gave no usable reply at ${stage}, ${attempts} times in a row. ${problem}`;
  return { repair: null, status: "error", answer, usage };
}

/** What the model is to be told about its last reply at this stage, where that was unusable. */
export function problemAt(state: GraphState, stage: string): string | undefined {
  return state.repair?.stage === stage ? state.repair.problem : undefined;
}
