import { END, START } from "@langchain/langgraph";
import { beginPair } from "../nodes/beginPair.js";
import { checkPair } from "../nodes/checkPair.js";
import { compose } from "../../../nodes/planning/compose.js";
import { samplePersona } from "../nodes/samplePersona.js";
import { writeQuery } from "../nodes/writeQuery.js";
import type { GenerationState } from "../state.js";
import { compileGraph } from "../../../graphs/agentGraph.js";
import { generationGraph, unlessOver } from "./generationGraph.js";

/**
 * Writes one request with its plan, from the request to the plan ("AI Agent 007", persona-based): a person,
 * tools and things of the world, the request that a model writes for them, and its plan. A draw that leads
 * to nothing is followed by the next one.
 */
export const builder = generationGraph()
  .addNode("beginPair", beginPair())
  .addNode("samplePersona", samplePersona())
  .addNode("writeQuery", writeQuery())
  .addNode("compose", compose({ style: "typed" }))
  .addNode("checkPair", checkPair())
  .addEdge(START, "beginPair")
  .addEdge("beginPair", "samplePersona")
  .addConditionalEdges("samplePersona", unlessOver(routeAfterSamplePersona), [
    "samplePersona",
    "writeQuery",
    END,
  ])
  .addConditionalEdges("writeQuery", unlessOver(routeAfterWriteQuery), [
    "samplePersona",
    "writeQuery",
    "compose",
    END,
  ])
  .addConditionalEdges("compose", unlessOver(routeAfterCompose), ["compose", "checkPair", END])
  .addConditionalEdges(
    "checkPair",
    unlessOver(() => "samplePersona"),
    ["samplePersona", END],
  );

export const graph = compileGraph(builder, { name: "generate_persona" });

function routeAfterSamplePersona({ toolIds }: GenerationState): "samplePersona" | "writeQuery" {
  return toolIds.length > 0 ? "writeQuery" : "samplePersona";
}

function routeAfterWriteQuery(state: GenerationState): "samplePersona" | "writeQuery" | "compose" {
  if (state.repair) return "writeQuery";
  return state.run.request ? "compose" : "samplePersona";
}

function routeAfterCompose({ repair }: GenerationState): "compose" | "checkPair" {
  return repair ? "compose" : "checkPair";
}
