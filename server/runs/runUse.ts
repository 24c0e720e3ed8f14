import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type RunRow, orderOf } from "./runRow.js";

/** What a run has used. */
export interface Use {
  modelCalls: number;
  tokens: number;
  usd?: number;
}

/** Checkpoints that are searched for the end of the previous run. */
const MOST_READ = 500;

const NOTHING: Use = { modelCalls: 0, tokens: 0 };

/**
 * What a run has used, according to its checkpoints. A run that answers an approval goes on counting from the run that
 * asked, which has been charged already.
 */
export async function useOf({
  saver,
  run,
}: {
  saver: BaseCheckpointSaver;
  run: RunRow;
}): Promise<Use> {
  const place = { configurable: { thread_id: run.thread_id, checkpoint_ns: "" } };
  const latest = await saver.getTuple(place);
  if (latest === undefined || !isOf(run, latest)) return NOTHING;
  const whole = useIn(latest);
  const { command, input } = orderOf(run);
  if (command === undefined && input !== undefined && input !== null) return whole;
  for await (const earlier of saver.list(place, { limit: MOST_READ })) {
    if (!isOf(run, earlier)) return difference(whole, useIn(earlier));
  }
  return whole;
}

function isOf({ run_id }: RunRow, { metadata }: CheckpointTuple): boolean {
  return (metadata as Record<string, unknown> | undefined)?.["run_id"] === run_id;
}

function useIn({ checkpoint }: CheckpointTuple): Use {
  const usage: unknown = checkpoint.channel_values["usage"];
  const {
    modelCalls = 0,
    inputTokens = 0,
    outputTokens = 0,
    embeddingTokens = 0,
    usd,
  } = Object(usage) as Record<string, number | undefined>;
  return { modelCalls, tokens: inputTokens + outputTokens + embeddingTokens, usd };
}

function difference(whole: Use, before: Use): Use {
  return {
    modelCalls: Math.max(0, whole.modelCalls - before.modelCalls),
    tokens: Math.max(0, whole.tokens - before.tokens),
    usd: whole.usd === undefined ? undefined : Math.max(0, whole.usd - (before.usd ?? 0)),
  };
}
