import { UnknownName } from "../common/errors.js";
import { openWorkspace } from "../nodes/workspace/workspace.js";
import { type AgentGraph, compileGraph } from "./compile.js";
import { GRAPH_IDS, type GraphId, loadGraph } from "./index.js";

/**
 * The graph of that id.
 *
 * @throws UnknownName
 */
export function findGraph(name: string): GraphId {
  const id = GRAPH_IDS.find((one) => one === name);
  if (id) return id;
  throw new UnknownName({ kind: "graph", wanted: name, available: GRAPH_IDS });
}

/** A graph with the checkpoints of this home. */
export async function openGraph(name: string): Promise<AgentGraph> {
  const { wiring } = await loadGraph(findGraph(name));
  const { saver } = openWorkspace().checkpoints();
  return compileGraph(wiring, { name, checkpointer: saver });
}

/**
 * Whether a thread's last run has ended. `next` is not a test: it omits a stage whose result is saved but not the
 * checkpoint after it, as when a process is killed in between.
 */
export function hasEnded({ tasks }: { tasks: readonly unknown[] }): boolean {
  return tasks.length === 0;
}
