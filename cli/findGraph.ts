import { UnknownName } from "../errors.js";
import { type GraphId, graphs } from "../graphs/index.js";

/**
 * The id, known to be one of a graph.
 *
 * @throws UnknownName
 */
export function findGraph(id: string): GraphId {
  if (Object.hasOwn(graphs, id)) return id as GraphId;
  throw new UnknownName({ kind: "graph", wanted: id, available: Object.keys(graphs) });
}
