import { openWorkspace } from "../../workspace/workspace.js";
import type { GraphState } from "../../state/state.js";

/** Results that the state only refers to are put in: records stand for themselves. */
export function withWholeResults(values: Partial<GraphState>): Partial<GraphState> {
  const { journal } = openWorkspace().runtime;
  const calls = values.calls?.map(({ resultRef, ...call }) =>
    resultRef === undefined ? call : { ...call, result: journal.result(resultRef) },
  );
  return { ...values, ...(calls ? { calls } : {}) };
}
