import { z } from "zod";
import { MULTITASK_STRATEGIES, STREAM_MODES } from "../runs/runRow.js";
import { checkpointForm, jsonObject, notOffered } from "./taking.js";

const destination = z.union([
  z.string(),
  z.object({ node: z.string(), input: z.unknown().optional() }),
]);

const command = z.object({
  goto: z.union([destination, z.array(destination)]).optional(),
  update: z
    .union([jsonObject, z.array(z.tuple([z.string(), z.unknown()]))])
    .nullish()
    .transform((update) => update ?? undefined),
  resume: z.unknown().optional(),
});

const nodes = z.union([z.literal("*"), z.array(z.string())]);

/** A run, as clients ask for it. What this server does not offer is refused, not ignored. */
export const runForm = z.strictObject({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  command: command.optional(),
  metadata: jsonObject.optional(),
  context: jsonObject.optional(),
  config: z
    .strictObject({
      tags: z.array(z.string()).optional(),
      recursion_limit: z.number().int().min(1).optional(),
      max_concurrency: z.number().int().min(1).optional(),
      run_name: z.string().max(200).optional(),
      configurable: jsonObject.optional(),
      metadata: jsonObject.optional(),
    })
    .optional(),
  checkpoint_id: z.string().optional(),
  checkpoint: checkpointForm.optional(),
  webhook: z.string().optional(),
  interrupt_before: nodes.optional(),
  interrupt_after: nodes.optional(),
  stream_mode: z
    .union([z.enum(STREAM_MODES), z.array(z.enum(STREAM_MODES))], {
      error: ({ input }) =>
        `expected one or more of ${STREAM_MODES.join(", ")}, got ${JSON.stringify(input)?.slice(0, 100)}`,
    })
    .optional(),
  stream_subgraphs: z.boolean().default(false),
  stream_resumable: z.boolean().optional(),
  on_disconnect: z.enum(["cancel", "continue"]).default("continue"),
  // For the thread of a stateless run. Clients of different versions use different words.
  on_completion: z
    .enum(["delete", "keep", "complete", "continue"])
    .default("delete")
    .transform((then) => (then === "keep" || then === "continue" ? "keep" : "delete")),
  multitask_strategy: z.enum(MULTITASK_STRATEGIES).default("reject"),
  if_not_exists: z.enum(["reject", "create"]).default("reject"),
  after_seconds: z.number().min(0).max(31_536_000).default(0),
  // All that is less is done, too: each step is saved before the next one begins.
  durability: z.enum(["sync", "async", "exit"]).optional(),
  checkpoint_during: z.boolean().optional(),
  // An answer to what does not wait is always refused.
  strict_resume: z.boolean().optional(),
  feedback_keys: notOffered("this server gives no feedback tokens"),
  langsmith_tracer: notOffered("the operator sets where traces go"),
});

export type RunForm = z.output<typeof runForm>;
