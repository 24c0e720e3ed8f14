import { END, START } from "@langchain/langgraph";
import { AIMessage } from "@langchain/core/messages";
import { act } from "../nodes/act.js";
import { execute } from "../nodes/execute.js";
import { intake } from "../nodes/intake.js";
import { respond } from "../nodes/respond.js";
import type { GraphState } from "../state/state.js";
import { agentGraph, unlessEnded } from "./agentGraph.js";

/**
 * What every graph with tools has: `intake`, the loop of `act` and `execute` (Tulip Agent), and
 * `respond`. How a run gets from `intake` to `act`, and to its tools, is for the wiring to say.
 */
export function toolLoop() {
  return agentGraph()
    .addNode("intake", intake)
    .addNode("act", act({ tools: "found" }))
    .addNode("execute", execute)
    .addNode("respond", respond)
    .addEdge(START, "intake")
    .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
    .addEdge("execute", "act")
    .addEdge("respond", END);
}

function routeAfterAct({ repair, messages }: GraphState) {
  if (repair) return "act";
  const last = messages.at(-1);
  return AIMessage.isInstance(last) && last.tool_calls?.length ? "execute" : "respond";
}
