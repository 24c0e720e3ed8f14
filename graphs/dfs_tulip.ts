import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { searchCalls } from "../nodes/acting/searchCalls.js";
import { beginEdit } from "../nodes/editing/beginEdit.js";
import { writeTool } from "../nodes/editing/writeTool.js";
import { editLibrary } from "../nodes/editing/editLibrary.js";
import { intake } from "../nodes/request/intake.js";
import { planTask } from "../nodes/tasks/planTask.js";
import { aggregate } from "../nodes/tasks/aggregate.js";
import { paraphrase } from "../nodes/tasks/paraphrase.js";
import { searchTask } from "../nodes/tasks/searchTask.js";
import { taskAgenda } from "../nodes/tasks/taskAgenda.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import {
  calling,
  due,
  editing,
  remembering,
  searching,
  taskEnded,
  unjudged,
} from "./conditions.js";
import { answered } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "A tree of tasks, depth first: split, solve, plan again, and create what is missing",
  source: `${TULIP}: DfsTulipAgent`,
  budget: "enforced",
  modelCalls: 3,
};

/**
 * A task tree, depth first: each task is searched for and split. A task that is not split is solved with one
 * tool, reworded, or gets a tool of its own (Tulip Agent: DfsTulipAgent).
 */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "taskAgenda" },
  taskAgenda: {
    run: taskAgenda(),
    next: [
      [due("search"), "searchTask"],
      [due("decompose", "replan"), "planTask"],
      [due("solve"), "act"],
      [due("paraphrase"), "paraphrase"],
      [due("create"), "beginEdit"],
      [due("aggregate"), "aggregate"],
      "respond",
    ],
  },
  searchTask: { run: searchTask(), next: "taskAgenda" },
  planTask: { run: planTask(), next: "taskAgenda" },
  act: {
    run: act({ tools: "found", scope: "task" }),
    next: [[taskEnded, "taskAgenda"], [searching, "searchCalls"], "execute"],
  },
  searchCalls: { run: searchCalls(), next: [[calling, "execute"], "act"] },
  execute: { run: execute(), next: [[remembering, "judge"], "act"] },
  judge: { run: judge(), next: [[unjudged, "judge"], "act"] },
  paraphrase: { run: paraphrase(), next: "taskAgenda" },
  beginEdit: { run: beginEdit({ by: "task" }), next: [[editing, "writeTool"], "taskAgenda"] },
  writeTool: { run: writeTool(), next: "editLibrary" },
  editLibrary: { run: editLibrary(), next: [[editing, "writeTool"], "taskAgenda"] },
  aggregate: { run: aggregate(), next: "taskAgenda" },
  ...answered,
});

export const graph = compileGraph(wiring, { name: "dfs_tulip" });
