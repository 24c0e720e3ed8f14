import { z } from "zod";
import { MULTITASK_STRATEGIES, STREAM_MODES } from "../runs/runRow.js";
import { jsonObject } from "./requests.js";

const destination = z.union([
  z.string(),
  z.object({ node: z.string(), input: z.unknown().optional() }),
]);

export const command = z.object({
  goto: z.union([destination, z.array(destination)]).optional(),
  update: z
    .union([jsonObject, z.array(z.tuple([z.string(), z.unknown()]))])
    .nullish()
    .transform((update) => update ?? undefined),
  resume: z.unknown().optional(),
});

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined);

/** A checkpoint of a thread, as clients name it. */
export const checkpointForm = z.object({
  checkpoint_id: text,
  checkpoint_ns: text,
  checkpoint_map: z.unknown().optional(),
});

const nodes = z.union([z.literal("*"), z.array(z.string())]);

/** A run, as clients ask for it. What this server does not offer is refused (createRun.ts), not ignored. */
export const runForm = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  command: command.optional(),
  metadata: jsonObject.optional(),
  context: jsonObject.optional(),
  config: z
    .looseObject({
      tags: z.array(z.string()).optional(),
      recursion_limit: z.number().int().min(1).optional(),
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
  feedback_keys: z.array(z.string()).optional(),
});

export type RunForm = z.output<typeof runForm>;
