import { openWorkspace } from "../../workspace/workspace.js";
import type { GraphState } from "../../state/state.js";

/** Results that the state only refers to are put in: records stand for themselves. */
export async function withWholeResults(values: Partial<GraphState>): Promise<Partial<GraphState>> {
  const { journal } = openWorkspace().runtime;
  const whole = values.calls?.map(async ({ resultRef, ...call }) =>
    resultRef === undefined ? call : { ...call, result: await journal.result(resultRef) },
  );
  const calls = whole && (await Promise.all(whole));
  return { ...values, ...(calls ? { calls } : {}) };
}
