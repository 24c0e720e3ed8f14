import type { GraphState } from "./state.js";
import { callsOfTask } from "./taskTree.js";
import { pathTo } from "./tree.js";

/** The calls that the model sees: in a search over steps a branch knows of its own only, and so does a task of a tree. */
export function visibleCalls(state: GraphState): GraphState["calls"] {
  const { tree, taskTree, calls } = state;
  if (taskTree) return callsOfTask(state);
  if (!tree) return calls;
  const ids = new Set(pathTo(tree, tree.cursor).flatMap((node) => node.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => ids.has(id));
}

/** The tools that calls were made of, each once; a call that was refused has given nothing. */
export function toolsCalled(calls: GraphState["calls"]): string[] {
  return [...new Set(calls.flatMap(({ tool, refused }) => (refused ? [] : tool)))];
}
