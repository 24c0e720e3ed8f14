import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";

/** An earlier try at the same point of a step search. */
export interface Attempt {
  calls: { name: string; args: Record<string, unknown>; observation: string }[];
  text: string;
}

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
  /** Whether the model says that the request takes no tool. */
  noToolNeeded: z.boolean().optional(),
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

/** Id of the node where every search begins. */
const ROOT = 0;

export function emptyTree(): Tree {
  return {
    nodes: [{ id: ROOT, parent: null, depth: 0, text: "", calls: [] }],
    agenda: [{ node: ROOT, children: [], followed: 0 }],
    cursor: ROOT,
    queries: 0,
    ballot: null,
    closing: false,
    votes: [],
  };
}

/** The steps from the root (not itself a step, so left out) to a node. */
export function pathTo({ nodes }: Pick<Tree, "nodes">, id: number): TreeNode[] {
  const node = nodes[id];
  if (!node || node.parent === null) return [];
  return [...pathTo({ nodes }, node.parent), node];
}

export function asAttempt({ text, calls }: Pick<TreeNode, "text" | "calls">): Attempt {
  return { text, calls: calls.map(({ name, args, observation }) => ({ name, args, observation })) };
}

/** What was already tried at the node where the model is asked next. */
export function earlierAttempts(tree: Tree | null): Attempt[] {
  if (!tree) return [];
  return tree.nodes.filter(({ parent }) => parent === tree.cursor).map((node) => asAttempt(node));
}

/**
 * The steps of a branch as conversation messages. A call without an observation ends the branch; only the last
 * step can have one.
 */
export function branchMessages(options: {
  tree: Pick<Tree, "nodes">;
  node: number;
  /** Id of the run, which keeps messages of two runs on one thread apart. */
  runId: string;
}): BaseMessage[] {
  const { tree, node, runId } = options;
  return pathTo(tree, node).flatMap((step) => {
    const reply = new AIMessage({
      id: `${runId}/${step.id}`,
      content: step.text,
      tool_calls: step.calls.map(({ id, name, args }) => ({ id, name, args, type: "tool_call" })),
    });
    const answered = step.end && step.calls.length > 0 ? [] : step.calls;
    const answers = answered.map(
      ({ id, name, observation, failed }) =>
        new ToolMessage({
          id: `${runId}/${step.id}/${id}`,
          tool_call_id: id,
          name,
          content: observation,
          status: failed ? "error" : "success",
        }),
    );
    return [reply, ...answers];
  });
}
