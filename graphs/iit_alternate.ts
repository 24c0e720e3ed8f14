import { composeStep } from "../nodes/composeStep.js";
import { writeOutline } from "../nodes/writeOutline.js";
import type { GraphState } from "../state/state.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { planning } from "./iitFamily.js";

/**
 * The request is split into tasks, each with its tool; then each call is written under the schema of its tool,
 * one reply for each ("AI Agent 007": alternate solution).
 */
export const builder = planning({ mergeReads: true })
  .addNode("writeOutline", writeOutline)
  .addNode("composeStep", composeStep)
  .addConditionalEdges(
    "selectDemos",
    unlessEnded(() => "writeOutline"),
    ["writeOutline", "respond"],
  )
  .addConditionalEdges("writeOutline", unlessEnded(routeAfterOutline), [
    "writeOutline",
    "composeStep",
    "checkPlan",
    "respond",
  ])
  .addConditionalEdges("composeStep", unlessEnded(nextTask), [
    "composeStep",
    "checkPlan",
    "respond",
  ])
  .addEdge("checkPlan", "answerFromPlan");

export const graph = compileGraph(builder, { name: "iit_alternate" });

function routeAfterOutline(state: GraphState) {
  return state.repair ? "writeOutline" : nextTask(state);
}

/** The calls of the plan are those of the first tasks of the outline. */
function nextTask({ outline, plan }: GraphState) {
  return (plan?.steps.length ?? 0) < outline.length ? "composeStep" : "checkPlan";
}
