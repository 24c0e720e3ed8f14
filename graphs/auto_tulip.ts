import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { beginEdit } from "../nodes/editing/beginEdit.js";
import { decomposeTask } from "../nodes/editing/decomposeTask.js";
import { editLibrary } from "../nodes/editing/editLibrary.js";
import { execute } from "../nodes/acting/execute.js";
import { intake } from "../nodes/request/intake.js";
import { judge } from "../nodes/acting/judge.js";
import { respond } from "../nodes/request/respond.js";
import { searchCalls } from "../nodes/editing/searchCalls.js";
import { writeTool } from "../nodes/editing/writeTool.js";
import { openCalls, openCallsOf } from "../state/controls.js";
import type { GraphState } from "../state/state.js";
import { DECOMPOSE_TASK, LIBRARY_CONTROLS, SEARCH_LIBRARY } from "../tools/control.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";
import { afterExecute, afterJudge } from "./routers.js";

/** Where the open calls of the last reply are answered: searches first, then all other calls. */
const ANSWERING = ["searchCalls", "execute", "decomposeTask", "beginEdit", "act"] as const;

/** The model searches, decomposes, creates, changes and deletes tools itself (Tulip Agent: AutoTulipAgent). */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("act", act({ tools: "found", keepsLibrary: true }))
  .addNode("searchCalls", searchCalls)
  .addNode("execute", execute({ except: LIBRARY_CONTROLS }))
  .addNode("judge", judge())
  .addNode("decomposeTask", decomposeTask)
  .addNode("beginEdit", beginEdit({ by: "call" }))
  .addNode("writeTool", writeTool)
  .addNode("editLibrary", editLibrary)
  .addNode("respond", respond())
  .addEdge(START, "intake")
  .addEdge("intake", "act")
  .addConditionalEdges("act", unlessEnded(routeAfterAct), [...ANSWERING, "respond"])
  .addConditionalEdges("searchCalls", unlessEnded(nextAnswer), [...ANSWERING, "respond"])
  .addConditionalEdges("execute", afterExecute(nextAnswer), ["judge", ...ANSWERING])
  .addConditionalEdges("judge", unlessEnded(afterJudge(nextAnswer)), [
    "judge",
    ...ANSWERING,
    "respond",
  ])
  .addConditionalEdges("decomposeTask", unlessEnded(nextAnswer), [...ANSWERING, "respond"])
  .addConditionalEdges("beginEdit", unlessEnded(routeAfterEdit), [
    "writeTool",
    "editLibrary",
    ...ANSWERING,
    "respond",
  ])
  .addConditionalEdges(
    "writeTool",
    unlessEnded(() => "editLibrary"),
    ["editLibrary", "respond"],
  )
  .addConditionalEdges("editLibrary", unlessEnded(routeAfterEdit), [
    "writeTool",
    "editLibrary",
    ...ANSWERING,
    "respond",
  ])
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "auto_tulip" });

function routeAfterAct(state: GraphState): (typeof ANSWERING)[number] | "respond" {
  if (state.repair) return "act";
  return openCalls(state).calls.length > 0 ? nextAnswer(state) : "respond";
}

function nextAnswer(state: GraphState): (typeof ANSWERING)[number] {
  const { calls } = openCalls(state);
  if (openCallsOf(state, SEARCH_LIBRARY).length > 0) return "searchCalls";
  if (calls.some(({ name }) => !KEEPING.has(name))) return "execute";
  if (openCallsOf(state, DECOMPOSE_TASK).length > 0) return "decomposeTask";
  return calls.length > 0 ? "beginEdit" : "act";
}

const KEEPING: ReadonlySet<string> = new Set(LIBRARY_CONTROLS.map(({ name }) => name));

function routeAfterEdit(state: GraphState) {
  const { edit } = state;
  if (!edit) return nextAnswer(state);
  return edit.kind === "delete" ? "editLibrary" : "writeTool";
}
