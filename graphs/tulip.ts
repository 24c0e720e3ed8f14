import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { approveWrites } from "../nodes/programs/approveWrites.js";
import { checkProgram } from "../nodes/programs/checkProgram.js";
import { execute } from "../nodes/acting/execute.js";
import { intake } from "../nodes/request/intake.js";
import { judge } from "../nodes/acting/judge.js";
import { look } from "../nodes/programs/look.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { recurse } from "../nodes/finding/recurse.js";
import { respond } from "../nodes/request/respond.js";
import { runProgram } from "../nodes/programs/runProgram.js";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { wordAnswer } from "../nodes/programs/wordAnswer.js";
import { writeProgram } from "../nodes/programs/writeProgram.js";
import { openCalls } from "../state/controls.js";
import type { GraphState } from "../state/state.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";
import {
  afterExecute,
  afterJudge,
  afterReopening,
  afterSearch,
  routeAfterAct,
  routeAfterPhraseSearch,
  to,
} from "./routers.js";

/**
 * One search, one reply with a whole plan ("AI Agent 007", with the searches of Tulip Agent, demonstrations of
 * TPTU-v2 and budgets of BTP). The plan is a small program: it is read, checked, shown where that is wanted, and
 * followed call by call without the model. It can decide, count, and do something for each item of a list.
 * What cannot be planned, or comes out otherwise than planned, is done call by call from the state reached.
 */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("searchRequest", search({ by: "clauses" }))
  .addNode("selectDemos", selectDemos())
  .addNode("writeProgram", writeProgram)
  .addNode("search", search({ by: "lacking" }))
  .addNode("recurse", recurse({ by: "paraphrasing", sparing: true }))
  .addNode("phraseSearch", phraseSearch)
  .addNode("checkProgram", checkProgram)
  .addNode("runProgram", runProgram)
  .addNode("look", look)
  .addNode("wordAnswer", wordAnswer)
  .addNode("approveWrites", approveWrites)
  .addNode("planBudgetAnew", planBudget())
  .addNode("act", act({ tools: "found" }))
  .addNode("execute", execute())
  .addNode("judge", judge())
  .addNode("respond", respond())
  .addEdge(START, "intake")
  .addEdge("intake", "searchRequest")
  .addConditionalEdges("searchRequest", unlessEnded(to("selectDemos")), ["selectDemos", "respond"])
  .addConditionalEdges("selectDemos", unlessEnded(to("writeProgram")), ["writeProgram", "respond"])
  .addConditionalEdges("writeProgram", unlessEnded(routeAfterWriting), [
    "writeProgram",
    "search",
    "recurse",
    "checkProgram",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("search", unlessEnded(afterSearch(to("writeProgram"))), [
    "recurse",
    "writeProgram",
    "respond",
  ])
  .addConditionalEdges("recurse", unlessEnded(afterReopening(to("writeProgram"))), [
    "phraseSearch",
    "writeProgram",
    "respond",
  ])
  .addConditionalEdges("phraseSearch", unlessEnded(routeAfterPhraseSearch), [
    "phraseSearch",
    "search",
    "respond",
  ])
  .addConditionalEdges("checkProgram", unlessEnded(routeAfterCheck), [
    "writeProgram",
    "runProgram",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("runProgram", unlessEnded(routeAfterRun), [
    "execute",
    "look",
    "wordAnswer",
    "approveWrites",
    "search",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("look", unlessEnded(routeAfterLook), [
    "look",
    "runProgram",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("wordAnswer", unlessEnded(routeAfterWording), [
    "wordAnswer",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("approveWrites", unlessEnded(routeAfterCheck), [
    "writeProgram",
    "runProgram",
    "planBudgetAnew",
    "respond",
  ])
  .addConditionalEdges("planBudgetAnew", unlessEnded(to("act")), ["act", "respond"])
  .addConditionalEdges("execute", afterExecute(goOn), ["judge", "runProgram", "act"])
  .addConditionalEdges("judge", unlessEnded(afterJudge(goOn)), [
    "judge",
    "runProgram",
    "act",
    "respond",
  ])
  .addConditionalEdges("act", unlessEnded(routeAfterAct), ["act", "execute", "respond"])
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "tulip" });

function routeAfterWriting({ repair, queue, subtasks, program }: GraphState) {
  if (repair) return "writeProgram";
  if (queue.length > 0) return "search";
  if (subtasks.some(({ status }) => status === "missed")) return "recurse";
  return program?.left ? "planBudgetAnew" : "checkProgram";
}

/** A program with faults, or one whose writes a person has rejected with a reason, is written anew. */
function routeAfterCheck({ program }: GraphState) {
  if (program?.left) return "planBudgetAnew";
  return program && program.issues.length > 0 ? "writeProgram" : "runProgram";
}

function routeAfterRun(state: GraphState) {
  const { program, queue } = state;
  if (program?.left) return "planBudgetAnew";
  if (queue.length > 0) return "search";
  if (openCalls(state).calls.length > 0) return "execute";
  if (program?.next === "word") return "wordAnswer";
  return program?.next === "look" ? "look" : "approveWrites";
}

function routeAfterWording({ repair }: GraphState) {
  return repair ? "wordAnswer" : "planBudgetAnew";
}

function routeAfterLook({ repair, program }: GraphState) {
  if (repair) return "look";
  return program?.left ? "planBudgetAnew" : "runProgram";
}

/** What came of a call of the program leads on in it; what came of one of the model's, back to the model. */
function goOn({ program }: GraphState) {
  return program && !program.left ? "runProgram" : "act";
}
