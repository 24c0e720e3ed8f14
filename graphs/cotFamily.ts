import { type DecomposeStyle, decompose } from "../nodes/finding/decompose.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import type { GraphState } from "../state/state.js";
import { unlessEnded } from "./agentGraph.js";
import { afterSearch, routeAfterDecompose, routeAfterPhraseSearch, to } from "./routers.js";
import { toolLoop } from "./toolLoop.js";

/**
 * The wiring of the Cot family (Tulip Agent): a library search for each subtask, and recursion
 * on what it misses. What leads from `intake` to `decompose` is for the variant to say.
 *
 * @param options.style what `decompose` is told beside the task
 */
export function cotFamily({ style }: { style: DecomposeStyle }) {
  return toolLoop()
    .addNode("decompose", decompose({ style }))
    .addNode("phraseSearch", phraseSearch())
    .addNode("search", search({ by: "phrases" }))
    .addNode("recurse", recurse({ by: "splitting" }))
    .addConditionalEdges("decompose", unlessEnded(routeAfterDecompose), [
      "decompose",
      "phraseSearch",
      "recurse",
      "respond",
    ])
    .addConditionalEdges("phraseSearch", unlessEnded(routeAfterPhraseSearch), [
      "phraseSearch",
      "search",
      "respond",
    ])
    .addConditionalEdges("search", unlessEnded(afterSearch(to("act"))), [
      "recurse",
      "act",
      "respond",
    ])
    .addConditionalEdges("recurse", unlessEnded(routeAfterRecurse), [
      "decompose",
      "act",
      "respond",
    ]);
}

function routeAfterRecurse({ focus }: GraphState) {
  return focus ? "decompose" : "act";
}
