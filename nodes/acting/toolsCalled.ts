import type { GraphState } from "../../state/state.js";

/** The tools that calls were made of, each once; a call that was refused has given nothing. */
export function toolsCalled(calls: GraphState["calls"]): string[] {
  return [...new Set(calls.flatMap(({ tool, refused }) => (refused ? [] : tool)))];
}
