import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";

/** BaseAgent: one model call, no tools (Tulip Agent). */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("act", act({ tools: "none" }))
  .addNode("respond", respond())
  .addEdge(START, "intake")
  .addEdge("intake", "act")
  .addConditionalEdges(
    "act",
    unlessEnded(() => "act"),
    ["act", "respond"],
  )
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "base" });
