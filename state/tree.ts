import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Attempt } from "../nodes/shared/stageInputs.js";
import type { Tree, TreeNode } from "./state.js";

/** Id of the node where every search begins. */
const ROOT = 0;

/** A step search that has not begun. */
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

/** A step as shown to a model. */
export function asAttempt({ text, calls }: Pick<TreeNode, "text" | "calls">): Attempt {
  return {
    text,
    calls: calls.map(({ name, args, observation }) => ({ name, args, observation })),
  };
}

/** What was already tried at the point where the model is asked next. */
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
