import type { GraphState, Status } from "../state/state.js";
import type { ThreadRun } from "./runThread.js";

/** What `--json` prints: one object for one run. */
export function runReport(options: {
  run: ThreadRun;
  state: GraphState;
  status: Status | "cancelled";
}) {
  const { run, state, status } = options;
  return {
    graph: run.graph,
    status,
    answer: state.answer,
    subtasks: state.subtasks,
    searches: state.searches,
    calls: state.calls,
    usage: state.usage,
    threadId: run.threadId,
  };
}
