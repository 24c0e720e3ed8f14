import type { Call } from "../state/state.js";
import { runWorkspace } from "./workspace.js";

/** The result of a call; one that is too long for the state lies in the journal. */
export function wholeResult({ result, resultRef }: Pick<Call, "result" | "resultRef">): unknown {
  return resultRef === undefined ? result : runWorkspace().runtime.journal.result(resultRef);
}
