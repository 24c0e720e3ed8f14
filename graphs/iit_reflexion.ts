import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { reflect } from "../nodes/planning/reflect.js";
import { readContext } from "../state/context.js";
import type { GraphState } from "../state/state.js";
import { compileGraph, unlessEnded } from "./agentGraph.js";
import { planningAtOnce } from "./iitFamily.js";

/**
 * Actor, evaluator and self-reflection ("AI Agent 007": Reflexion): the check and the model judge each plan,
 * and the model says what to do otherwise, until a plan is accepted or `maxReflections` are made. The last
 * plan is the answer.
 */
export const builder = planningAtOnce({ style: "stateAction" })
  .addNode("reflect", reflect())
  .addConditionalEdges("checkPlan", routeAfterCheckPlan, ["reflect", "answerFromPlan"])
  .addConditionalEdges("reflect", unlessEnded(routeAfterReflect), [
    "reflect",
    "compose",
    "answerFromPlan",
    "respond",
  ]);

export const graph = compileGraph(builder, { name: "iit_reflexion" });

/** Unlike a plan that is followed, one without faults is looked through, too. */
function routeAfterCheckPlan(
  { plan }: GraphState,
  config: LangGraphRunnableConfig,
): "reflect" | "answerFromPlan" {
  const { maxReflections } = readContext(config);
  return plan && plan.cues.length < maxReflections ? "reflect" : "answerFromPlan";
}

function routeAfterReflect({ repair, plan }: GraphState) {
  if (repair) return "reflect";
  return plan?.accepted ? "answerFromPlan" : "compose";
}
