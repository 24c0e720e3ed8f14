import { z } from "zod";

/** A requested change to the tool library, while it is in progress. */
export const editSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** The call that asked for it and awaits an answer; empty if the graph itself wants the tool. */
  callId: z.string(),
  /** What the tool should do, or how it should change. */
  task: z.string(),
  /** Id of the tool to change; empty for a new one. */
  tool: z.string(),
  /** Its version when the change was requested; null for a new tool. */
  basedOn: z.number().int().nullable(),
  /** Ids of tools that already do something similar. */
  similar: z.array(z.string()),
  /** Unusable drafts so far. */
  failures: z.number().int(),
  /** The reply with the last draft; empty before the first. */
  draft: z.string(),
  /** What is wrong with the last draft: one line per problem, with its place. */
  problem: z.string(),
});
export type Edit = z.infer<typeof editSchema>;

/** A finished change to the tool library. */
export const editRecordSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** Id of the tool; empty if none was made. */
  tool: z.string(),
  /** `reused`: the model found that a library tool already does it. */
  outcome: z.enum(["done", "reused", "failed", "rejected"]),
  /** The new version of a created or updated tool. */
  version: z.number().int().optional(),
  task: z.string(),
  /** Unusable drafts before the last. */
  failures: z.number().int(),
  /** Why nothing changed, or what the change breaks. */
  reason: z.string().optional(),
});
export type EditRecord = z.infer<typeof editRecordSchema>;
