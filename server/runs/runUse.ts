import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type RunRow, orderOf } from "./runRow.js";

/** What a run has used. */
export interface Use {
  modelCalls: number;
  tokens: number;
  /** Those of the tokens that the provider has read from its cache. */
  cachedTokens: number;
  usd?: number;
  /** How its request has ended; null if it goes on. */
  outcome: string | null;
  /** What its request has used so far, as JSON. */
  usage: string | null;
}

/** Checkpoints that are searched for the end of the previous run. */
const MOST_READ = 500;

const NOTHING: Use = { modelCalls: 0, tokens: 0, cachedTokens: 0, outcome: null, usage: null };

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
  if (latest === undefined || !isOf(run, latest)) return NOTHING;
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
function useIn({ usage, status }: Record<string, unknown>): Use {
  const { modelCalls, inputTokens, cachedTokens, outputTokens, embeddingTokens, usd } = Object(
    usage,
  ) as Record<string, unknown>;
  const tokens = count(inputTokens) + count(outputTokens) + count(embeddingTokens);
  const dollars = Number.isFinite(usd) ? { usd: Number(usd) } : {};
  const outcome = typeof status !== "string" || status === "running" ? null : status;
  const whole = usage ? JSON.stringify(usage) : null;
  const used = { modelCalls: count(modelCalls), tokens, cachedTokens: count(cachedTokens) };
  return { ...used, ...dollars, outcome, usage: whole };
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
