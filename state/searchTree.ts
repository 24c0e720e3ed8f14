import { z } from "zod";

/** A step of a search tree: a model reply and the outcome of its calls. */
const treeNodeSchema = z.object({
  /** 0 is the root, which has no reply. */
  id: z.number().int(),
  parent: z.number().int().nullable(),
  /** A thought, an action and its input count one each, as published (DFSDT). */
  depth: z.number().int(),
  text: z.string(),
  calls: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      /** What the model was told; empty for the call that ends a branch. */
      observation: z.string(),
      failed: z.boolean(),
    }),
  ),
  /** How the branch ends here: with an answer, or giving up to try another. */
  end: z.enum(["answer", "gaveUp"]).optional(),
  /** The answer, or the reason for giving up. */
  said: z.string().optional(),
  /** Whether the answer covers the whole request, according to the model. */
  solved: z.boolean().optional(),
  /** Points from the vote among siblings. */
  points: z.number().optional(),
});
export type TreeNode = z.infer<typeof treeNodeSchema>;

/** A step search as an explicit agenda; the innermost frame is last. */
export const treeSchema = z.object({
  nodes: z.array(treeNodeSchema),
  agenda: z.array(
    z.object({
      node: z.number().int(),
      /** Children in the order to follow them. */
      children: z.array(z.number().int()),
      /** How many of them have been followed. */
      followed: z.number().int(),
    }),
  ),
  /** The node at which the model is asked next. */
  cursor: z.number().int(),
  /** Model calls of the search so far: steps and votes. */
  queries: z.number().int(),
  /** The two siblings to compare next, in display order; null for none. */
  ballot: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** No tool is left to call: the model is asked once to finish. */
  closing: z.boolean(),
  /** Verdicts of the current vote. */
  votes: z.array(
    z.object({
      first: z.number().int(),
      second: z.number().int(),
      /** Null if the reply named neither. */
      winner: z.number().int().nullable(),
    }),
  ),
});
export type Tree = z.infer<typeof treeSchema>;
