import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/act.js";
import { answerFromPlan } from "../nodes/answerFromPlan.js";
import { approvePlan } from "../nodes/approvePlan.js";
import { checkPlan } from "../nodes/checkPlan.js";
import { compose } from "../nodes/compose.js";
import { dispatchSteps } from "../nodes/dispatchSteps.js";
import { execute } from "../nodes/execute.js";
import { intake } from "../nodes/intake.js";
import { judge } from "../nodes/judge.js";
import { phraseSearch } from "../nodes/phraseSearch.js";
import { planBudget } from "../nodes/planBudget.js";
import { recurse } from "../nodes/recurse.js";
import { reflect } from "../nodes/reflect.js";
import { respond } from "../nodes/respond.js";
import { search } from "../nodes/search.js";
import { selectDemos } from "../nodes/selectDemos.js";
import { openCalls } from "../state/controls.js";
import type { GraphState } from "../state/state.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";
import {
  afterExecute,
  afterJudge,
  afterReopening,
  afterSearch,
  mayReflect,
  routeAfterAct,
  routeAfterPhraseSearch,
} from "./routers.js";

/**
 * One search, one reply with a whole plan, and the plan is carried out without the model ("AI Agent 007",
 * with the searches of Tulip Agent, demonstrations of TPTU-v2 and budgets of BTP). What cannot be planned,
 * or comes out otherwise than planned, is done call by call from the state reached.
 */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("searchRequest", search({ by: "clauses" }))
  .addNode("selectDemos", selectDemos())
  .addNode("compose", compose({ style: "typed", executed: true }))
  .addNode("search", search({ by: "phrases", lexical: true }))
  .addNode("recurse", recurse({ by: "paraphrasing" }))
  .addNode("phraseSearch", phraseSearch)
  .addNode("checkPlan", checkPlan())
  .addNode("reflect", reflect)
  .addNode("approvePlan", approvePlan)
  .addNode("planBudget", planBudget({ grants: "planned" }))
  .addNode("dispatchSteps", dispatchSteps)
  .addNode("planBudgetAnew", planBudget())
  .addNode("act", act({ tools: "found" }))
  .addNode("execute", execute())
  .addNode("judge", judge)
  .addNode("answerFromPlan", answerFromPlan({ as: "text" }))
  .addNode("respond", respond)
  .addEdge(START, "intake")
  .addEdge("intake", "searchRequest")
  .addConditionalEdges("searchRequest", unlessEnded(toDemos), ["selectDemos", "respond"])
  .addConditionalEdges("selectDemos", unlessEnded(toCompose), ["compose", "respond"])
  .addConditionalEdges("compose", unlessEnded(routeAfterCompose), [
    "compose",
    "search",
    "recurse",
    "checkPlan",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("search", unlessEnded(afterSearch("compose")), [
    "recurse",
    "compose",
    "respond",
  ])
  .addConditionalEdges("recurse", unlessEnded(afterReopening("compose")), [
    "phraseSearch",
    "compose",
    "respond",
  ])
  .addConditionalEdges("phraseSearch", unlessEnded(routeAfterPhraseSearch), [
    "phraseSearch",
    "search",
    "respond",
  ])
  .addConditionalEdges("checkPlan", mayReflect("approvePlan"), ["reflect", "approvePlan"])
  .addConditionalEdges("reflect", unlessEnded(routeAfterReflect), ["reflect", "compose", "respond"])
  .addConditionalEdges("approvePlan", unlessEnded(routeAfterApproval), [
    "compose",
    "planBudget",
    "respond",
  ])
  .addConditionalEdges("planBudget", unlessEnded(toDispatch), ["dispatchSteps", "respond"])
  .addConditionalEdges("dispatchSteps", routeAfterDispatch, [
    "execute",
    "answerFromPlan",
    "planBudgetAnew",
  ])
  .addConditionalEdges("execute", afterExecute(goOn), ["judge", "dispatchSteps", "act"])
  .addConditionalEdges("judge", unlessEnded(afterJudge(goOn)), [
    "judge",
    "dispatchSteps",
    "act",
    "respond",
  ])
  .addConditionalEdges("answerFromPlan", unlessEnded(toBudget), ["planBudgetAnew", "respond"])
  .addConditionalEdges("planBudgetAnew", unlessEnded(toAct), ["act", "respond"])
  .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "tulip" });

function toDemos(): "selectDemos" {
  return "selectDemos";
}

function toCompose(): "compose" {
  return "compose";
}

function toDispatch(): "dispatchSteps" {
  return "dispatchSteps";
}

function toBudget(): "planBudgetAnew" {
  return "planBudgetAnew";
}

function toAct(): "act" {
  return "act";
}

function routeAfterCompose({ repair, queue, subtasks, plan }: GraphState) {
  if (repair) return "compose";
  if (queue.length > 0) return "search";
  if (subtasks.some(({ status }) => status === "missed")) return "recurse";
  return plan?.left ? "planBudgetAnew" : "checkPlan";
}

function routeAfterReflect({ repair }: GraphState) {
  return repair ? "reflect" : "compose";
}

/** A plan that was rejected with a reason has a cue to be written anew by. */
function routeAfterApproval({ plan }: GraphState) {
  return plan?.issues.some(({ kind }) => kind === "rejected") ? "compose" : "planBudget";
}

function routeAfterDispatch(state: GraphState) {
  if (state.plan?.left) return "planBudgetAnew";
  return openCalls(state).calls.length > 0 ? "execute" : "answerFromPlan";
}

/** What came of a step leads to the next ones; what came of a call of the model's, back to the model. */
function goOn({ plan }: GraphState) {
  return plan && !plan.left ? "dispatchSteps" : "act";
}
