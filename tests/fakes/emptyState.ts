import { type GraphState, NOTHING_USED } from "../../state/state.js";

/** The state at the start of a thread, with the channels that a test is about. */
export function emptyState(channels: Partial<GraphState> = {}): GraphState {
  return {
    messages: [],
    request: "",
    run: { id: "run", request: "" },
    status: "running",
    answer: "",
    subtasks: [],
    focus: "",
    queue: [],
    searches: [],
    hints: [],
    toolIds: [],
    calls: [],
    repair: null,
    usage: NOTHING_USED,
    ...channels,
  };
}
