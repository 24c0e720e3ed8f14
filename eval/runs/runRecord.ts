import { z } from "zod";
import { planSchema } from "../../state/plan.js";
import { programSchema } from "../../state/program.js";
import {
  callSchema,
  ledgerSchema,
  searchSchema,
  subtaskSchema,
  usageSchema,
} from "../../state/state.js";

const stageVisitSchema = z.object({
  stage: z.string(),
  modelCalls: z.number().int(),
  inputTokens: z.number().int(),
  /** Those that the provider has read from its cache; absent if none, and in records of older versions. */
  cachedTokens: z.number().int().optional(),
  outputTokens: z.number().int(),
  embeddingTokens: z.number().int(),
  ms: z.number(),
  /** Dollars for its tokens; null if a price is unknown, absent in records of older versions. */
  usd: z.number().nullable().optional(),
});
export type StageVisit = z.infer<typeof stageVisitSchema>;

/**
 * One run of one task by one graph under one set of settings: a line of `runs.jsonl`. It holds what happened
 * and no judgement, so that scores can be computed from it again.
 */
export const runRecordSchema = z.object({
  /** Names the planned run, whatever its attempt: task, graph, variant and run number. */
  id: z.string(),
  task: z.string(),
  graph: z.string(),
  /** Name of the variant of the grid, such as "topK=5 model=a:b"; "" if nothing varies. */
  variant: z.string(),
  /** Number of the repetition, from 1. */
  run: z.number().int().positive(),
  /** From 1; higher if an earlier attempt failed or could not be resumed. The last one counts. */
  attempt: z.number().int().positive(),
  /** Every setting of the run, including defaults. */
  settings: z.record(z.string(), z.unknown()),
  model: z.string(),
  embeddings: z.string(),
  seed: z.number().int().optional(),
  /** How the run ended; "error" also if it broke off with `error`. */
  status: z.enum([
    "solved",
    "answered",
    "planned",
    "unsolved",
    "limit",
    "budget",
    "waiting",
    "error",
  ]),
  answer: z.string(),
  subtasks: z.array(subtaskSchema),
  searches: z.array(searchSchema),
  /** The tasks whose demonstrations the model was shown; absent if there were none. */
  demonstrations: z.array(z.string()).optional(),
  calls: z.array(callSchema),
  /** The last plan of the run, if any. */
  plan: planSchema.pick({ steps: true, answer: true, issues: true }).optional(),
  /** The last program of the run, if any; some of its calls may not have been made. */
  program: programSchema.pick({ code: true, repairs: true, issues: true, left: true }).optional(),
  /** What the run could spend and has spent; absent without a budget, or if its graph ignores it. */
  ledger: ledgerSchema.optional(),
  usage: usageSchema,
  stages: z.array(stageVisitSchema),
  /** Dollars for the tokens of models and searches; null if a price is unknown. */
  usd: z.number().nullable(),
  /** The change made to the benchmark's world, in the world's own form. */
  stateDiff: z.record(z.string(), z.unknown()).optional(),
  /** Why the run broke off: one line. */
  error: z.string().optional(),
  threadId: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  endedAt: z.string(),
  /** Wall time from the start to the end of this process's part of the run, in milliseconds. */
  wallMs: z.number(),
  /** The run was resumed from a checkpoint. */
  resumed: z.boolean(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

/** The attempt of each run that counts. */
export function latestAttempts(records: readonly RunRecord[]): RunRecord[] {
  const latest = new Map<string, RunRecord>();
  for (const record of records) {
    const known = latest.get(record.id);
    if (!known || record.attempt >= known.attempt) latest.set(record.id, record);
  }
  return [...latest.values()];
}
