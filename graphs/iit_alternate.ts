import { composeSteps } from "../nodes/planning/composeSteps.js";
import { writeOutline } from "../nodes/planning/writeOutline.js";
import type { GraphState } from "../state/state.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { planning } from "./iitFamily.js";

/**
 * The request is split into tasks, each with its tool; then all calls are written in one reply, under the
 * schemas of these tools alone ("AI Agent 007": alternate solution).
 */
export const builder = planning({ mergeReads: true })
  .addNode("writeOutline", writeOutline())
  .addNode("composeSteps", composeSteps())
  .addConditionalEdges(
    "selectDemos",
    unlessEnded(() => "writeOutline"),
    ["writeOutline", "respond"],
  )
  .addConditionalEdges("writeOutline", unlessEnded(routeAfterOutline), [
    "writeOutline",
    "composeSteps",
    "checkPlan",
    "respond",
  ])
  .addConditionalEdges("composeSteps", unlessEnded(routeAfterSteps), [
    "composeSteps",
    "checkPlan",
    "respond",
  ])
  .addEdge("checkPlan", "answerFromPlan");

export const graph = compileGraph(builder, { name: "iit_alternate" });

function routeAfterOutline({ repair, outline }: GraphState) {
  if (repair) return "writeOutline";
  return outline.length > 0 ? "composeSteps" : "checkPlan";
}

function routeAfterSteps({ repair }: GraphState) {
  return repair ? "composeSteps" : "checkPlan";
}
