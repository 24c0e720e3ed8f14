import { END, START } from "@langchain/langgraph";
import { beginPair } from "../nodes/beginPair.js";
import { checkPair } from "../nodes/checkPair.js";
import { groundFlow } from "../nodes/groundFlow.js";
import { sampleFlow } from "../nodes/sampleFlow.js";
import { writeQuery } from "../nodes/writeQuery.js";
import type { GenerationState } from "../state.js";
import { compileGraph } from "../../../graphs/agentGraph.js";
import { generationGraph, unlessOver } from "./generationGraph.js";

/**
 * Writes one request with its plan, from the plan to the request ("AI Agent 007", flow-based): tools in a
 * chain, values that run, then the words. A draw that leads to nothing is followed by the next one.
 */
export const builder = generationGraph()
  .addNode("beginPair", beginPair())
  .addNode("sampleFlow", sampleFlow())
  .addNode("groundFlow", groundFlow())
  .addNode("writeQuery", writeQuery())
  .addNode("checkPair", checkPair())
  .addEdge(START, "beginPair")
  .addEdge("beginPair", "sampleFlow")
  .addConditionalEdges("sampleFlow", unlessOver(routeAfterSampleFlow), [
    "sampleFlow",
    "groundFlow",
    END,
  ])
  .addConditionalEdges("groundFlow", unlessOver(routeAfterGroundFlow), [
    "sampleFlow",
    "writeQuery",
    END,
  ])
  .addConditionalEdges("writeQuery", unlessOver(routeAfterWriteQuery), [
    "sampleFlow",
    "writeQuery",
    "checkPair",
    END,
  ])
  .addConditionalEdges(
    "checkPair",
    unlessOver(() => "sampleFlow"),
    ["sampleFlow", END],
  );

export const graph = compileGraph(builder, { name: "generate_flow" });

function routeAfterSampleFlow({ flow }: GenerationState): "sampleFlow" | "groundFlow" {
  return flow.length > 0 ? "groundFlow" : "sampleFlow";
}

function routeAfterGroundFlow({ plan }: GenerationState): "sampleFlow" | "writeQuery" {
  return plan ? "writeQuery" : "sampleFlow";
}

function routeAfterWriteQuery(state: GenerationState): "sampleFlow" | "writeQuery" | "checkPair" {
  if (state.repair) return "writeQuery";
  return state.plan ? "checkPair" : "sampleFlow";
}
