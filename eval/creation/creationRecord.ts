import { z } from "zod";
import { State, statusSchema, usageSchema } from "../../state/state.js";
import { DRAFT_FAULTS } from "./draftFaults.js";

/**
 * One attempt at one request: a line of `creation.jsonl`. It holds what happened and no judgement: the report
 * judges.
 */
export const creationRecordSchema = z.object({
  request: z.string(),
  /** Hash of the request with its hidden checks and its start library. */
  requestHash: z.string(),
  /** From 1; higher if an earlier one broke off. The last one counts. */
  attempt: z.number().int().positive(),
  model: z.string(),
  embeddings: z.string(),
  /** Version of tulipgraph. */
  version: z.string(),
  /** How the run ended. */
  status: z.enum([...statusSchema.options, "waiting"]),
  answer: z.string(),
  edits: State.shape.edits,
  drafts: z.array(z.object({ fault: z.enum(DRAFT_FAULTS).nullable(), problem: z.string() })),
  /** The last tool that was created, updated or reused; null for none. */
  tool: z
    .object({
      id: z.string(),
      version: z.number().int(),
      code: z.string(),
      /** Ids of the tools that it may call. */
      calls: z.array(z.string()),
    })
    .nullable(),
  /** The result of the hidden checks of that tool; null if there is none. */
  hidden: z
    .object({
      passed: z.number().int(),
      failing: z.array(z.object({ check: z.string(), got: z.string() })),
    })
    .nullable(),
  usage: usageSchema,
  /** Dollars for the tokens of models and searches; null if a price is unknown. */
  usd: z.number().nullable(),
  /** Wall time of the run without the hidden checks, in milliseconds. */
  wallMs: z.number(),
  threadId: z.string(),
  /** Why the run broke off: one line. */
  error: z.string().optional(),
});
export type CreationRecord = z.infer<typeof creationRecordSchema>;
