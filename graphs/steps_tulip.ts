import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { approvePlan } from "../nodes/planning/approvePlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { dispatchSteps } from "../nodes/planning/dispatchSteps.js";
import { execute } from "../nodes/acting/execute.js";
import { intake } from "../nodes/request/intake.js";
import { judge } from "../nodes/acting/judge.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { recurse } from "../nodes/finding/recurse.js";
import { reflect } from "../nodes/planning/reflect.js";
import { respond } from "../nodes/request/respond.js";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { openCalls } from "../state/controls.js";
import type { GraphState, Subtask } from "../state/state.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";
import {
  afterExecute,
  afterJudge,
  afterReopening,
  afterSearch,
  mayReflect,
  routeAfterAct,
  routeAfterPhraseSearch,
  to,
} from "./routers.js";

/**
 * As `tulip`, with a plan that is a list of steps: calls in order, each with values of the request or of earlier
 * steps. It has neither conditions nor loops; a model that writes no code may do better with it.
 */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("searchRequest", search({ by: "clauses" }))
  .addNode("selectDemos", selectDemos())
  .addNode("compose", compose({ style: "typed", executed: true }))
  .addNode("search", search({ by: "lacking" }))
  .addNode("recurse", recurse({ by: "paraphrasing", sparing: true }))
  .addNode("phraseSearch", phraseSearch)
  .addNode("checkPlan", checkPlan())
  .addNode("reflect", reflect({ on: "unclear" }))
  .addNode("approvePlan", approvePlan())
  .addNode("planBudget", planBudget({ grants: "planned" }))
  .addNode("dispatchSteps", dispatchSteps())
  .addNode("planBudgetAnew", planBudget())
  .addNode("act", act({ tools: "found" }))
  .addNode("execute", execute())
  .addNode("judge", judge)
  .addNode("answerFromPlan", answerFromPlan({ as: "text" }))
  .addNode("respond", respond)
  .addEdge(START, "intake")
  .addEdge("intake", "searchRequest")
  .addConditionalEdges("searchRequest", unlessEnded(to("selectDemos")), ["selectDemos", "respond"])
  .addConditionalEdges("selectDemos", unlessEnded(to("compose")), ["compose", "respond"])
  .addConditionalEdges("compose", unlessEnded(routeAfterCompose), [
    "compose",
    "search",
    "recurse",
    "checkPlan",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("search", unlessEnded(afterSearch(withWhatIsFound)), [
    "recurse",
    "compose",
    "checkPlan",
    "respond",
  ])
  .addConditionalEdges("recurse", unlessEnded(afterReopening(withWhatIsFound)), [
    "phraseSearch",
    "compose",
    "checkPlan",
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
  .addConditionalEdges("planBudget", unlessEnded(to("dispatchSteps")), ["dispatchSteps", "respond"])
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
  .addConditionalEdges("answerFromPlan", unlessEnded(to("planBudgetAnew")), [
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("planBudgetAnew", unlessEnded(to("act")), ["act", "respond"])
  .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "steps_tulip" });

function routeAfterCompose({ repair, queue, subtasks, plan }: GraphState) {
  if (repair) return "compose";
  if (queue.length > 0) return "search";
  if (subtasks.some(({ status }) => status === "missed")) return "recurse";
  return plan?.left ? "planBudgetAnew" : "checkPlan";
}

/** A plan is written anew with what was found for what it lacks; where nothing was, it stands as it is. */
function withWhatIsFound({ plan, subtasks }: GraphState) {
  const isFound = ({ status, text }: Subtask) =>
    status === "found" && plan?.lacking.includes(text) === true;
  return subtasks.some(isFound) ? "compose" : "checkPlan";
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
