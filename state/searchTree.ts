import { z } from "zod";

/** A step of a search tree: a reply of the model and what came of its calls. */
const treeNodeSchema = z.object({
  /** 0 is the root, which has no reply. */
  id: z.number().int(),
  parent: z.number().int().nullable(),
  /** Thought, action and its input count one each, as published (DFSDT). */
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
  /** How the branch ends here: with an answer, or with a wish to try another one. */
  end: z.enum(["answer", "gaveUp"]).optional(),
  /** The answer, or the reason to give up. */
  said: z.string().optional(),
  /** Whether the answer leaves out no part of the request, as far as the model says. */
  solved: z.boolean().optional(),
  /** Points of the vote among siblings. */
  points: z.number().optional(),
});
export type TreeNode = z.infer<typeof treeNodeSchema>;

/** A search over steps, held as an explicit agenda: the innermost frame is the last. */
export const treeSchema = z.object({
  nodes: z.array(treeNodeSchema),
  agenda: z.array(
    z.object({
      node: z.number().int(),
      /** Children in the order in which they are to be followed. */
      children: z.array(z.number().int()),
      /** How many of them were followed. */
      followed: z.number().int(),
    }),
  ),
  /** The node at which the model is asked next. */
  cursor: z.number().int(),
  /** Model calls of the search so far: steps and votes. */
  queries: z.number().int(),
  /** Two siblings to be compared next, in the order in which they are shown; null for none. */
  ballot: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** No tool is left to be called: the model is asked for the end, once. */
  closing: z.boolean(),
  /** Verdicts of the vote that is under way. */
  votes: z.array(
    z.object({
      first: z.number().int(),
      second: z.number().int(),
      /** Null where the reply named neither. */
      winner: z.number().int().nullable(),
    }),
  ),
});
export type Tree = z.infer<typeof treeSchema>;
