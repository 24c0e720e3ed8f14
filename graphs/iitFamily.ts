import { END, START } from "@langchain/langgraph";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import type { ComposeStyle } from "../nodes/planning/planForm.js";
import type { GraphState } from "../state/state.js";
import { agentGraph, unlessEnded } from "./agentGraph.js";
import { to } from "./routers.js";

/**
 * What all wirings of "AI Agent 007" share: tools by a search with the request, demonstrations, and in the end
 * the plan itself as the answer. Nothing is executed. Equal reads are merged where a solution is
 * put together of parts; elsewhere it is judged as it was written.
 */
export function planning({ mergeReads }: { mergeReads: boolean }) {
  return agentGraph()
    .addNode("intake", intake())
    .addNode("search", search({ by: "request" }))
    .addNode("selectDemos", selectDemos())
    .addNode("checkPlan", checkPlan({ mergeReads }))
    .addNode("answerFromPlan", answerFromPlan({ as: "solution" }))
    .addNode("respond", respond)
    .addEdge(START, "intake")
    .addEdge("intake", "search")
    .addConditionalEdges("search", unlessEnded(to("selectDemos")), ["selectDemos", "respond"])
    .addEdge("answerFromPlan", "respond")
    .addEdge("respond", END);
}

/** A plan in one reply, asked for in a style. */
export function planningAtOnce({ style }: { style: ComposeStyle }) {
  return planning({ mergeReads: false })
    .addNode("compose", compose({ style }))
    .addConditionalEdges("selectDemos", unlessEnded(to("compose")), ["compose", "respond"])
    .addConditionalEdges("compose", unlessEnded(routeAfterCompose), [
      "compose",
      "checkPlan",
      "respond",
    ]);
}

/** A plan in one reply that is checked, and is the answer. */
export function planningOnce({ style }: { style: ComposeStyle }) {
  return planningAtOnce({ style }).addEdge("checkPlan", "answerFromPlan");
}

function routeAfterCompose({ repair }: GraphState): "compose" | "checkPlan" {
  return repair ? "compose" : "checkPlan";
}
