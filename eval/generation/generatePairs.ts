import { resolve } from "node:path";
import { compileGraph } from "../../graphs/compile.js";
import { generators } from "./graphs/generators.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import type { GenerationState } from "./generationState.js";
import { type Status, type Usage, NOTHING_USED, addUsage } from "../../state/state.js";
import { sha256 } from "../../tools/library/records/hash.js";
import { type Origin, openPairFile, type PairFile, type PairsSoFar, together } from "./pairFile.js";

/** The outcome of generation. */
export interface Generated extends PairsSoFar {
  /** `solved` with all wanted pairs, `cancelled` by the signal, else the status of the last run. */
  status: Status | "cancelled";
  /** Why there are fewer pairs than wanted; otherwise empty. */
  reason: string;
  /** Pairs added now. */
  added: number;
  /** Usage for these. */
  usage: Usage;
}

/**
 * Adds pairs of requests and plans to a file until it holds the wanted number. Each pair is a run of a graph with
 * checkpoints, so that interrupted work is resumed by the next call. The same origin, settings and model replies give
 * the same file.
 *
 * @param options.count wanted number of pairs in the file
 * @param options.settings of the runs, as given by the user
 * @param options.onPair called after each pair
 * @throws InvalidSetting for a file with other contents
 * @throws ModelFailed, or another error of a run; the next call resumes it
 */
export async function generatePairs(options: {
  file: string;
  origin: Origin;
  count: number;
  settings: Record<string, unknown>;
  signal?: AbortSignal;
  onPair?: (soFar: PairsSoFar) => void;
}): Promise<Generated> {
  const { file, origin, count, settings, signal, onPair } = options;
  const pairs = await openPairFile(file, origin);
  const before = pairs.soFar.count;
  let usage = NOTHING_USED;
  const end = (status: Generated["status"], reason = ""): Generated => {
    return { ...pairs.soFar, status, reason, added: pairs.soFar.count - before, usage };
  };
  while (pairs.soFar.count < count) {
    const threadId = threadOf(file, origin, pairs);
    const run = await runOnce({ threadId, origin, taken: pairs.soFar, settings, signal });
    if (run === "cancelled") return end("cancelled", "It was stopped.");
    usage = addUsage(usage, run.usage);
    const { pair, draw, dropped } = run;
    if (pair) await pairs.append({ ...origin, pair, draw, dropped });
    await openWorkspace().checkpoints().saver.deleteThread(threadId);
    if (!pair)
      return { ...end(run.status, run.answer), dropped: together(pairs.soFar.dropped, dropped) };
    onPair?.(pairs.soFar);
  }
  return end("solved");
}

/** The name contains the existing pairs, so that a run for other contents of the file is not resumed. */
function threadOf(file: string, origin: Origin, pairs: PairFile): string {
  const { shapes, requests } = pairs.soFar;
  const place = JSON.stringify([resolve(file), origin, shapes, requests]);
  return `generate/${sha256(place).slice(0, 16)}`;
}

/** Runs the graph to its end, or resumes an interrupted run. */
async function runOnce(options: {
  threadId: string;
  origin: Origin;
  taken: PairsSoFar;
  settings: Record<string, unknown>;
  signal: AbortSignal | undefined;
}): Promise<GenerationState | "cancelled"> {
  const { threadId, origin, taken, settings, signal } = options;
  const name = `generate_${origin.method}` as const;
  const { saver } = openWorkspace().checkpoints();
  const { wiring } = await generators[name]();
  const graph = compileGraph(wiring, { name, checkpointer: saver });
  const thread = { configurable: { thread_id: threadId } };
  const { tasks, values } = await graph.getState(thread);
  if (signal?.aborted) return "cancelled";
  const isBegun = Object.keys(values).length > 0;
  if (isBegun && tasks.length === 0) return values as GenerationState;
  const { shapes, requests, nextDraw: draw } = taken;
  const fresh = { seed: origin.seed, draw, taken: { shapes, requests } };
  try {
    await graph.invoke(isBegun ? null : (fresh as object), {
      ...thread,
      context: { ...settings, library: origin.library },
      durability: "sync",
      // A signal of its own for each run, so that listeners do not pile up on the given one.
      signal: signal && AbortSignal.any([signal]),
    });
  } catch (error) {
    if (signal?.aborted) return "cancelled";
    throw error;
  }
  const { values: ended } = await graph.getState(thread);
  return ended as GenerationState;
}
