import { UnknownName } from "../common/errors.js";
import { openWorkspace } from "../workspace/workspace.js";
import { type AgentGraph, compileGraph } from "./agentGraph.js";
import { type GraphId, graphs } from "./index.js";

/**
 * The graph of that id.
 *
 * @throws UnknownName
 */
export function findGraph(name: string): GraphId {
  if (isGraphId(name)) return name;
  throw new UnknownName({ kind: "graph", wanted: name, available: Object.keys(graphs) });
}

/** A graph with the checkpoints of this home. */
export function openGraph(name: string): AgentGraph {
  const { saver } = openWorkspace().checkpoints();
  return compileGraph(graphs[findGraph(name)].builder, { name, checkpointer: saver });
}

/**
 * Whether a thread's last run has come to its end. `next` does not tell: it leaves out a stage whose
 * result is there, but not yet the checkpoint behind it, as when a process is killed in between.
 */
export function hasEnded({ tasks }: { tasks: readonly unknown[] }): boolean {
  return tasks.length === 0;
}

function isGraphId(name: string): name is GraphId {
  return Object.hasOwn(graphs, name);
}
