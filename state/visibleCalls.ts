import type { GraphState } from "./state.js";
import { callsOfTask } from "./taskTree.js";
import { pathTo } from "./tree.js";

/** The calls the model sees: a branch of a step search, or a task in a tree, sees only its own. */
export function visibleCalls(state: GraphState): GraphState["calls"] {
  const { tree, taskTree, calls } = state;
  if (taskTree) return callsOfTask(state);
  if (!tree) return calls;
  const ids = new Set(pathTo(tree, tree.cursor).flatMap((node) => node.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => ids.has(id));
}

/** The tools that were called, each once. Refused calls are left out: they returned nothing. */
export function toolsCalled(calls: GraphState["calls"]): string[] {
  return [...new Set(calls.flatMap(({ tool, refused }) => (refused ? [] : tool)))];
}
