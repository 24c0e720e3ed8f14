import { END, type LangGraphRunnableConfig, START } from "@langchain/langgraph";
import { act } from "../nodes/act.js";
import { execute } from "../nodes/execute.js";
import { judge, unjudgedCalls } from "../nodes/judge.js";
import { readContext } from "../state/context.js";
import { lastReply } from "./routers.js";
import { intake } from "../nodes/intake.js";
import { respond } from "../nodes/respond.js";
import type { GraphState } from "../state/state.js";
import { agentGraph, unlessEnded } from "./agentGraph.js";

/**
 * What every graph with tools has: `intake`, the loop of `act` and `execute` (Tulip Agent), `judge`
 * for what is to be remembered, and `respond`. How a run gets from `intake` to `act`, and to its tools, is for the wiring to say.
 */
export function toolLoop() {
  return agentGraph()
    .addNode("intake", intake())
    .addNode("act", act({ tools: "found" }))
    .addNode("execute", execute())
    .addNode("judge", judge)
    .addNode("respond", respond)
    .addEdge(START, "intake")
    .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
    .addConditionalEdges("execute", routeAfterExecute, ["judge", "act"])
    .addConditionalEdges("judge", unlessEnded(routeAfterJudge), ["judge", "act", "respond"])
    .addEdge("respond", END);
}

function routeAfterAct(state: GraphState) {
  if (state.repair) return "act";
  return lastReply(state).tool_calls?.length ? "execute" : "respond";
}

/** What came of calls is judged only where it is to be remembered. */
function routeAfterExecute(_state: GraphState, config: LangGraphRunnableConfig) {
  return readContext(config).remember ? "judge" : "act";
}

function routeAfterJudge(state: GraphState) {
  return unjudgedCalls(state).length > 0 ? "judge" : "act";
}
