import type { GraphState } from "../../state/state.js";
import { callsOfTask } from "../../state/taskTree.js";
import { pathTo } from "../../state/tree.js";

/** The calls that the model sees: in a search over steps a branch knows of its own only, and so does a task of a tree. */
export function callsAtHand(state: GraphState): GraphState["calls"] {
  const { tree, taskTree, calls } = state;
  if (taskTree) return callsOfTask(state);
  if (!tree) return calls;
  const ids = new Set(pathTo(tree, tree.cursor).flatMap((node) => node.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => ids.has(id));
}
