import { FRESH_RUN, type GraphState } from "../../state/state.js";

/** The state at the start of a thread, with the channels that a test is about. */
export function emptyState(channels: Partial<GraphState> = {}): GraphState {
  return {
    ...FRESH_RUN,
    messages: [],
    request: "",
    undo: null,
    run: { id: "run", request: "" },
    earlierCalls: [],
    ...channels,
  };
}
