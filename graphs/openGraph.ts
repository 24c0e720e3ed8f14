import { UnknownName } from "../errors.js";
import { openResources } from "../resources/resources.js";
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
  const { saver } = openResources().checkpoints();
  return compileGraph(graphs[findGraph(name)].builder, { name, checkpointer: saver });
}

function isGraphId(name: string): name is GraphId {
  return Object.hasOwn(graphs, name);
}
