import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { afterExecute, afterJudge, routeAfterAct, to } from "./routers.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
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
    .addNode("judge", judge())
    .addNode("respond", respond())
    .addEdge(START, "intake")
    .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
    .addConditionalEdges("execute", afterExecute(to("act")), ["judge", "act"])
    .addConditionalEdges("judge", unlessEnded(afterJudge(to("act"))), ["judge", "act", "respond"])
    .addEdge("respond", END);
}
