import { resolve } from "node:path";
import { compileGraph } from "../../graphs/compile.js";
import { generators } from "./graphs/generators.js";
import { openWorkspace } from "../../workspace/workspace.js";
import type { GenerationState } from "./generationState.js";
import { type Status, type Usage, NOTHING_USED, addUsage } from "../../state/state.js";
import { sha256 } from "../../tools/library/hash.js";
import { type PairFile, openPairFile, type PairsSoFar, together } from "./pairFile.js";
import type { Origin } from "./pairLine.js";

/** How a file of pairs was left. */
export interface Generated extends PairsSoFar {
  /** `solved` with all pairs that were wanted, `cancelled` by the signal, else how the last run has ended. */
  status: Status | "cancelled";
  /** Why there are no more pairs; empty where there are as many as were wanted. */
  reason: string;
  /** Pairs that were added now. */
  added: number;
  /** What was used for them. */
  usage: Usage;
}

/**
 * Adds pairs of requests and plans to a file until it holds as many as are wanted. Each pair is a run of its
 * graph, with checkpoints: ended at any moment and called again, it goes on where it was. The same origin,
 * settings and replies of the model give the same file.
 *
 * @param options.count pairs that the file is to hold in the end
 * @param options.settings of the runs, as a user gives them
 * @param options.onPair told how many there are after each
 * @throws InvalidSetting for a file that holds something else
 * @throws ModelFailed and what else a run ends with; called again, it goes on
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
  const pairs = await openPairFile({ file, origin });
  const before = pairs.soFar.count;
  let usage = NOTHING_USED;
  const end = (status: Generated["status"], reason = ""): Generated => {
    return { ...pairs.soFar, status, reason, added: pairs.soFar.count - before, usage };
  };
  while (pairs.soFar.count < count) {
    const threadId = threadOf({ file, origin, pairs });
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

/** What there is already is part of the name: a run that began before something else is not gone on with. */
function threadOf(options: { file: string; origin: Origin; pairs: PairFile }): string {
  const { file, origin, pairs } = options;
  const { shapes, requests } = pairs.soFar;
  const place = JSON.stringify([resolve(file), origin, shapes, requests]);
  return `generate/${sha256(place).slice(0, 16)}`;
}

/** Runs the graph to its end, from the checkpoint of a run that was broken off where there is one. */
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
      // Each run listens to a signal of its own, so that listeners do not gather on the one given.
      signal: signal && AbortSignal.any([signal]),
    });
  } catch (error) {
    if (signal?.aborted) return "cancelled";
    throw error;
  }
  const { values: ended } = await graph.getState(thread);
  return ended as GenerationState;
}
