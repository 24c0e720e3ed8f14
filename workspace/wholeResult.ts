import type { Call } from "../state/state.js";
import { runWorkspace } from "./workspace.js";

/** The full result of a call, from the journal if it is too long for the state. */
export function wholeResult({ result, resultRef }: Pick<Call, "result" | "resultRef">): unknown {
  return resultRef === undefined ? result : runWorkspace().runtime.journal.result(resultRef);
}
