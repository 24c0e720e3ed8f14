import { AsyncLocalStorage } from "node:async_hooks";
import type { Call } from "../../state/state.js";
import { type Workspace, runWorkspace } from "../workspace/workspace.js";

type Result = Pick<Call, "result" | "resultRef">;

const known = new AsyncLocalStorage<ReadonlyMap<string, unknown>>();

/**
 * The full result of a call, even one too long for the state. Every stage runs inside {@link knowingResults}, which
 * has read such results from the journal.
 */
export function wholeResult({ result, resultRef }: Result): unknown {
  if (resultRef === undefined) return result;
  const results = known.getStore();
  if (!results?.has(resultRef)) throw new Error(`result ${resultRef} was not read beforehand`);
  return results.get(resultRef);
}

/**
 * Reads the long results of these calls from the journal, and does work that looks at them with `wholeResult`.
 *
 * @param options.workspace default: the run's own
 * @example
 * await knowingResults({ calls }, () => calls.map(wholeResult));
 */
export async function knowingResults<Done>(
  options: { calls: readonly Result[]; workspace?: Workspace },
  work: () => Done | Promise<Done>,
): Promise<Done> {
  const refs = refsIn(options.calls);
  if (refs.length === 0) return await work();
  const { journal } = (options.workspace ?? runWorkspace()).runtime;
  const results = refs.map(async (ref) => [ref, await journal.result(ref)] as const);
  return await known.run(new Map(await Promise.all(results)), work);
}

function refsIn(calls: readonly Result[]): string[] {
  return [...new Set(calls.flatMap(({ resultRef }) => resultRef ?? []))];
}
