import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { afterReopening, afterSearch, routeAfterPhraseSearch, to } from "./routers.js";
import { toolLoop } from "./toolLoop.js";

/** NaiveTulip: the model phrases searches for the request, then acts (Tulip Agent). */
export const builder = toolLoop()
  .addNode("phraseSearch", phraseSearch())
  .addNode("search", search({ by: "phrases" }))
  .addNode("recurse", recurse({ by: "paraphrasing" }))
  .addEdge("intake", "phraseSearch")
  .addConditionalEdges("phraseSearch", unlessEnded(routeAfterPhraseSearch), [
    "phraseSearch",
    "search",
    "respond",
  ])
  .addConditionalEdges("search", unlessEnded(afterSearch(to("act"))), ["recurse", "act", "respond"])
  .addConditionalEdges("recurse", unlessEnded(afterReopening(to("act"))), [
    "phraseSearch",
    "act",
    "respond",
  ]);

export const graph = compileGraph(builder, { name: "naive_tulip" });
