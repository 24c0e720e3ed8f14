import { FRESH_DRAW, type GenerationUpdate } from "../state.js";
import { FRESH_RUN } from "../../../state/state.js";

/** First in graphs that write requests with their plans: empties what an earlier run on the thread has left. */
export function beginPair(): GenerationUpdate {
  return { ...FRESH_RUN, ...FRESH_DRAW, dropped: {}, pair: null };
}
