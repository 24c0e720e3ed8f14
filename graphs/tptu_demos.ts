import { search } from "../nodes/search.js";
import { selectDemos } from "../nodes/selectDemos.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { toolLoop } from "./toolLoop.js";

/** One search with the request itself, then act with demonstrations of tasks that are alike (TPTU-v2). */
export const builder = toolLoop()
  .addNode("search", search({ by: "request" }))
  .addNode("selectDemos", selectDemos())
  .addEdge("intake", "search")
  .addConditionalEdges(
    "search",
    unlessEnded(() => "selectDemos"),
    ["selectDemos", "respond"],
  )
  .addConditionalEdges(
    "selectDemos",
    unlessEnded(() => "act"),
    ["act", "respond"],
  );

export const graph = compileGraph(builder, { name: "tptu_demos" });
