import { stage } from "../../../nodes/shared/stage.js";
import { FRESH_RUN } from "../../../state/state.js";
import { FRESH_DRAW, type GenerationState, type GenerationUpdate } from "../generationState.js";

/** Empties what an earlier run on the thread has left; first in graphs that write requests with their plans. */
export function beginPair() {
  return stage<GenerationState, GenerationUpdate>({}, () => ({
    ...FRESH_RUN,
    ...FRESH_DRAW,
    dropped: {},
    pair: null,
  }));
}
