import { CONTROL_NAMES } from "../../tools/control.js";
import type { Scores } from "./scorer.js";

/** What a run took. */
export const COST_SCORES = {
  inputTokens: ({ run }) => run.usage.inputTokens,
  outputTokens: ({ run }) => run.usage.outputTokens,
  embeddingTokens: ({ run }) => run.usage.embeddingTokens,
  totalTokens: ({ run: { usage } }) => usage.inputTokens + usage.outputTokens,
  usd: ({ run }) => run.usd ?? undefined,
  modelCalls: ({ run }) => run.usage.modelCalls,
  toolCalls: ({ run }) => run.calls.filter(({ tool }) => !CONTROL_NAMES.includes(tool)).length,
  demonstrations: ({ run }) => run.demonstrations?.length,
  wallMs: ({ run }) => run.wallMs,
  workMs: ({ run }) => Math.round(run.usage.ms),
} satisfies Scores;
