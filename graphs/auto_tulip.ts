import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { searchCalls } from "../nodes/acting/searchCalls.js";
import { beginEdit } from "../nodes/editing/beginEdit.js";
import { writeTool } from "../nodes/editing/writeTool.js";
import { decomposeTask } from "../nodes/editing/decomposeTask.js";
import { editLibrary } from "../nodes/editing/editLibrary.js";
import { intake } from "../nodes/request/intake.js";
import { DECOMPOSE_TASK, LIBRARY_CONTROLS, SEARCH_LIBRARY } from "../tools/control.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import {
  calling,
  callingOn,
  callingTools,
  deleting,
  editing,
  remembering,
  unjudged,
} from "./conditions.js";
import { answered } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "The model searches, decomposes, and creates, changes and deletes tools itself",
  source: `${TULIP}: AutoTulipAgent`,
  budget: "enforced",
  modelCalls: 3,
};

const answers = [
  [callingOn(SEARCH_LIBRARY), "searchCalls"],
  [callingTools, "execute"],
  [callingOn(DECOMPOSE_TASK), "decomposeTask"],
  [calling, "beginEdit"],
] as const;

const edits = [[deleting, "editLibrary"], [editing, "writeTool"], ...answers, "act"] as const;

/** The model itself searches, decomposes, and creates, changes and deletes tools (Tulip Agent: AutoTulipAgent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "act" },
  act: { run: act({ tools: "found", keepsLibrary: true }), next: [...answers, "respond"] },
  searchCalls: { run: searchCalls(), next: [...answers, "act"] },
  execute: {
    run: execute({ except: LIBRARY_CONTROLS }),
    next: [[remembering, "judge"], ...answers, "act"],
  },
  judge: { run: judge(), next: [[unjudged, "judge"], ...answers, "act"] },
  decomposeTask: { run: decomposeTask(), next: [...answers, "act"] },
  beginEdit: { run: beginEdit({ by: "call" }), next: edits },
  writeTool: { run: writeTool(), next: "editLibrary" },
  editLibrary: { run: editLibrary(), next: edits },
  ...answered,
});

export const graph = compileGraph(wiring, { name: "auto_tulip" });
