import { search } from "../nodes/finding/search.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { toolLoop } from "./toolLoop.js";

/** MinimalTulip: one search with the request itself, then act (Tulip Agent). */
export const builder = toolLoop()
  .addNode("search", search({ by: "request" }))
  .addEdge("intake", "search")
  .addConditionalEdges(
    "search",
    unlessEnded(() => "act"),
    ["act", "respond"],
  );

export const graph = compileGraph(builder, { name: "minimal_tulip" });
