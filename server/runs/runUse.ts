import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type RunRow, orderOf } from "./runRow.js";

/** What a run has used. */
export type Use = ReturnType<typeof useIn>;

/** Checkpoints that are searched for the end of the previous run. */
const MOST_READ = 500;

/** What a run has used that began with an input, by the values of its last state; undefined for others. */
export function wholeUse(run: RunRow, values: Record<string, unknown>): Use | undefined {
  const { command, input } = orderOf(run);
  return command === undefined && input != null ? useIn(values) : undefined;
}

/**
 * What a run has used, according to its checkpoints. A run that answers an approval goes on counting from the run that
 * asked, which has been charged already.
 */
export async function useOf(saver: BaseCheckpointSaver, run: RunRow): Promise<Use> {
  const place = { configurable: { thread_id: run.thread_id, checkpoint_ns: "" } };
  const latest = await saver.getTuple(place);
  if (latest === undefined || !isOf(run, latest)) return useIn({});
  const { channel_values: values } = latest.checkpoint;
  const whole = wholeUse(run, values);
  if (whole) return whole;
  for await (const earlier of saver.list(place, { limit: MOST_READ })) {
    if (!isOf(run, earlier))
      return difference(useIn(values), useIn(earlier.checkpoint.channel_values));
  }
  return useIn(values);
}

function isOf({ run_id }: RunRow, { metadata }: CheckpointTuple): boolean {
  return (metadata as Record<string, unknown> | undefined)?.["run_id"] === run_id;
}

/** Whoever may change states may have put anything there. */
function useIn({ usage, status }: Record<string, unknown>) {
  const { modelCalls, inputTokens, cachedTokens, outputTokens, embeddingTokens, usd } = Object(
    usage,
  ) as Record<string, unknown>;
  const tokens = count(inputTokens) + count(outputTokens) + count(embeddingTokens);
  return {
    modelCalls: count(modelCalls),
    tokens,
    /** Those of the tokens that the provider has read from its cache. */
    cachedTokens: count(cachedTokens),
    usd: Number.isFinite(usd) ? Number(usd) : undefined,
    /** How its request has ended; null if it goes on. */
    outcome: typeof status !== "string" || status === "running" ? null : status,
    /** What its request has used so far, as JSON. */
    usage: usage ? JSON.stringify(usage) : null,
  };
}

function count(given: unknown): number {
  return Number.isSafeInteger(given) ? Number(given) : 0;
}

function difference(whole: Use, before: Use): Use {
  return {
    ...whole,
    modelCalls: Math.max(0, whole.modelCalls - before.modelCalls),
    tokens: Math.max(0, whole.tokens - before.tokens),
    cachedTokens: Math.max(0, whole.cachedTokens - before.cachedTokens),
    usd: whole.usd === undefined ? undefined : Math.max(0, whole.usd - (before.usd ?? 0)),
  };
}
