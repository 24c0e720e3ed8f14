import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { unlessEnded } from "./agentGraph.js";
import { toolLoop } from "./toolLoop.js";

/**
 * Where the tools of a run come from. `everything`: they are given, by the setting `toolIds` or else all
 * of the library · `request`: a search with the request, in the order of the library's trained adapter
 * where it has one
 */
interface ToolSource {
  by: "everything" | "request";
}

/** Tools, then act: the rows of TPTU-v2 (arXiv:2311.11315) without demonstrations. */
export function withoutDemonstrations({ by }: ToolSource) {
  return toolLoop()
    .addNode("search", search({ by }))
    .addEdge("intake", "search")
    .addConditionalEdges(
      "search",
      unlessEnded(() => "act"),
      ["act", "respond"],
    );
}

/** Tools, demonstrations of tasks that are alike, then act: the order of TPTU-v2 (arXiv:2311.11315). */
export function withDemonstrations({ by }: ToolSource) {
  return toolLoop()
    .addNode("search", search({ by }))
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
}
