import { search } from "../nodes/finding/search.js";
import { compileGraph } from "./agentGraph.js";
import { cotFamily } from "./cotFamily.js";

/** PrimedCotTulip: as CotTulip, and decomposition knows names of tools near the request. */
export const builder = cotFamily({ style: "primed" })
  .addNode("searchPriming", search({ by: "priming" }))
  .addEdge("intake", "searchPriming")
  .addEdge("searchPriming", "decompose");

export const graph = compileGraph(builder, { name: "primed_cot_tulip" });
