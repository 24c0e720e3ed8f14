import { END, START } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { aggregate } from "../nodes/tasks/aggregate.js";
import { beginEdit } from "../nodes/editing/beginEdit.js";
import { editLibrary } from "../nodes/editing/editLibrary.js";
import { execute } from "../nodes/acting/execute.js";
import { taskEnd } from "../nodes/acting/finish.js";
import { intake } from "../nodes/request/intake.js";
import { judge } from "../nodes/acting/judge.js";
import { paraphrase } from "../nodes/tasks/paraphrase.js";
import { planTask } from "../nodes/tasks/planTask.js";
import { respond } from "../nodes/request/respond.js";
import { searchTask } from "../nodes/tasks/searchTask.js";
import { taskAgenda } from "../nodes/tasks/taskAgenda.js";
import { writeTool } from "../nodes/editing/writeTool.js";
import type { GraphState, TaskStep } from "../state/state.js";
import { agentGraph, compileGraph, unlessEnded } from "./agentGraph.js";
import { afterExecute, afterJudge, lastReply, to } from "./routers.js";

/** The stage that does each step of a task. */
const STAGES = {
  search: "searchTask",
  decompose: "planTask",
  replan: "planTask",
  solve: "act",
  paraphrase: "paraphrase",
  create: "beginEdit",
  aggregate: "aggregate",
  done: "respond",
} as const satisfies Record<TaskStep, string>;

/**
 * A tree of tasks, depth first: each is searched for and split; what is not split is solved with one
 * tool, put in other words, or gets a tool of its own (Tulip Agent: DfsTulipAgent).
 */
export const builder = agentGraph()
  .addNode("intake", intake())
  .addNode("taskAgenda", taskAgenda)
  .addNode("searchTask", searchTask)
  .addNode("planTask", planTask)
  .addNode("act", act({ tools: "found", scope: "task" }))
  .addNode("execute", execute())
  .addNode("judge", judge())
  .addNode("paraphrase", paraphrase())
  .addNode("beginEdit", beginEdit({ by: "task" }))
  .addNode("writeTool", writeTool)
  .addNode("editLibrary", editLibrary)
  .addNode("aggregate", aggregate)
  .addNode("respond", respond())
  .addEdge(START, "intake")
  .addEdge("intake", "taskAgenda")
  .addConditionalEdges("taskAgenda", unlessEnded(routeAfterTaskAgenda), [
    ...new Set(Object.values(STAGES)),
  ])
  .addConditionalEdges("searchTask", unlessEnded(to("taskAgenda")), ["taskAgenda", "respond"])
  .addConditionalEdges("planTask", unlessEnded(againOrAgenda("planTask")), [
    "planTask",
    "taskAgenda",
    "respond",
  ])
  .addConditionalEdges("paraphrase", unlessEnded(againOrAgenda("paraphrase")), [
    "paraphrase",
    "taskAgenda",
    "respond",
  ])
  .addConditionalEdges("aggregate", unlessEnded(againOrAgenda("aggregate")), [
    "aggregate",
    "taskAgenda",
    "respond",
  ])
  .addConditionalEdges("act", unlessEnded(routeAfterAct), [
    "act",
    "execute",
    "taskAgenda",
    "respond",
  ])
  .addConditionalEdges("execute", afterExecute(to("act")), ["judge", "act"])
  .addConditionalEdges("judge", unlessEnded(afterJudge(to("act"))), ["judge", "act", "respond"])
  .addConditionalEdges("beginEdit", unlessEnded(routeAfterEdit), [
    "writeTool",
    "taskAgenda",
    "respond",
  ])
  .addConditionalEdges(
    "writeTool",
    unlessEnded(() => "editLibrary"),
    ["editLibrary", "respond"],
  )
  .addConditionalEdges("editLibrary", unlessEnded(routeAfterEdit), [
    "writeTool",
    "taskAgenda",
    "respond",
  ])
  .addEdge("respond", END);

export const graph = compileGraph(builder, { name: "dfs_tulip" });

function routeAfterTaskAgenda({ taskTree }: GraphState) {
  return STAGES[taskTree?.step ?? "done"];
}

/** Asks again after an unusable reply. */
function againOrAgenda<Stage extends string>(stage: Stage) {
  return ({ repair }: GraphState) => (repair ? stage : "taskAgenda");
}

function routeAfterAct(state: GraphState) {
  if (state.repair) return "act";
  return taskEnd(lastReply(state)) ? "taskAgenda" : "execute";
}

function routeAfterEdit({ edit }: GraphState) {
  return edit ? "writeTool" : "taskAgenda";
}
