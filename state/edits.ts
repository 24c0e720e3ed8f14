import { z } from "zod";

/** A wish to change the tool library, on its way from the wish to the change. */
export const editSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** The call that asked for it, to be answered; empty where the graph itself wants the tool. */
  callId: z.string(),
  /** What the tool shall do, or how it shall be changed. */
  task: z.string(),
  /** Id of the tool to change; empty for a new one. */
  tool: z.string(),
  /** Its version when the change was wished for; null for a new tool. */
  basedOn: z.number().int().nullable(),
  /** Ids of tools that already do something like it. */
  similar: z.array(z.string()),
  /** Drafts that could not be used. */
  failures: z.number().int(),
  /** The reply with the last draft; empty before the first. */
  draft: z.string(),
  /** What is wrong with the last draft, one line for each problem, with its place. */
  problem: z.string(),
});
export type Edit = z.infer<typeof editSchema>;

/** A change of the tool library that has come to its end. */
export const editRecordSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** Id of the tool; empty where none came to be. */
  tool: z.string(),
  /** `reused`: the model found that a tool of the library does it already. */
  outcome: z.enum(["done", "reused", "failed", "rejected"]),
  /** The new version, of a tool that was created or updated. */
  version: z.number().int().optional(),
  task: z.string(),
  /** Drafts that could not be used before. */
  failures: z.number().int(),
  /** Why there was no change, or what the change breaks. */
  reason: z.string().optional(),
});
export type EditRecord = z.infer<typeof editRecordSchema>;
