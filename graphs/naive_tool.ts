import { search } from "../nodes/finding/search.js";
import { compileGraph } from "./agentGraph.js";
import { toolLoop } from "./toolLoop.js";

/** NaiveToolAgent: the model is shown all tools of the library (Tulip Agent). */
export const builder = toolLoop()
  .addNode("search", search({ by: "everything" }))
  .addEdge("intake", "search")
  .addEdge("search", "act");

export const graph = compileGraph(builder, { name: "naive_tool" });
