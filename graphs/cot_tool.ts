import { decompose } from "../nodes/finding/decompose.js";
import { search } from "../nodes/finding/search.js";
import type { GraphState } from "../state/state.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { toolLoop } from "./toolLoop.js";

/** CotToolAgent: decompose, then act with all tools of the library (Tulip Agent). */
export const builder = toolLoop()
  .addNode("decompose", decompose({ style: "plain" }))
  .addNode("search", search({ by: "everything" }))
  .addEdge("intake", "decompose")
  .addConditionalEdges("decompose", unlessEnded(routeAfterDecompose), [
    "decompose",
    "search",
    "respond",
  ])
  .addEdge("search", "act");

export const graph = compileGraph(builder, { name: "cot_tool" });

function routeAfterDecompose({ repair }: GraphState) {
  return repair ? "decompose" : "search";
}
