import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { approveWrites } from "../nodes/programs/approveWrites.js";
import { checkProgram } from "../nodes/programs/checkProgram.js";
import { planUndo } from "../nodes/programs/planUndo.js";
import { look } from "../nodes/programs/look.js";
import { runProgram } from "../nodes/programs/runProgram.js";
import { wordAnswer } from "../nodes/programs/wordAnswer.js";
import { writeProgram } from "../nodes/programs/writeProgram.js";
import { intake } from "../nodes/request/intake.js";
import type { About } from "./about.js";
import { compileGraph } from "./compile.js";
import {
  approving,
  calling,
  faulty,
  following,
  judging,
  left,
  looking,
  missed,
  open,
  queued,
  remembering,
  undoing,
  unjudged,
  wording,
} from "./conditions.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One search, one plan: a program that is checked, shown and followed without the model",
  source: 'Tulip Agent, BTP, "AI Agent 007" and TPTU-v2 joined, with code as the plan',
  budget: "enforced",
  modelCalls: 1,
};

const checked = [[left, "planBudgetAnew"], [faulty, "writeProgram"], "runProgram"] as const;

/** Whatever cannot be planned, or turns out differently, is done call by call from the state reached. */
export const wiring = wire("intake", {
  intake: { run: intake(), next: [[undoing, "planUndo"], "searchRequest"] },
  planUndo: { run: planUndo(), next: "checkProgram" },
  searchRequest: { run: search({ by: "planning" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "writeProgram" },
  writeProgram: {
    run: writeProgram(),
    next: [
      [undoing, "planUndo"],
      [queued, "search"],
      [missed, "recurse"],
      [left, "planBudgetAnew"],
      "checkProgram",
    ],
  },
  search: { run: search({ by: "lacking" }), next: [[missed, "recurse"], "writeProgram"] },
  recurse: {
    run: recurse({ by: "paraphrasing", sparing: true }),
    next: [[open, "phraseSearch"], "writeProgram"],
  },
  phraseSearch: { run: phraseSearch(), next: "search" },
  checkProgram: { run: checkProgram(), next: checked },
  runProgram: {
    run: runProgram(),
    next: [
      [left, "planBudgetAnew"],
      [faulty, "writeProgram"],
      [queued, "search"],
      [calling, "execute"],
      [wording, "wordAnswer"],
      [looking, "look"],
      [approving, "approveWrites"],
      [judging, "judge"],
      "runProgram",
    ],
  },
  look: { run: look(), next: [[left, "planBudgetAnew"], "runProgram"] },
  wordAnswer: { run: wordAnswer(), next: "planBudgetAnew" },
  approveWrites: { run: approveWrites(), next: [[faulty, "searchRequest"], ...checked] },
  planBudgetAnew: { run: planBudget(), next: [[calling, "execute"], "act"] },
  ...toolLoop,
  searchCalls: { ...toolLoop.searchCalls, next: "planBudgetAnew" },
  execute: {
    ...toolLoop.execute,
    next: [[remembering, "judge"], [following, "runProgram"], "act"],
  },
  judge: { ...toolLoop.judge, next: [[unjudged, "judge"], [following, "runProgram"], "act"] },
});

export const graph = compileGraph(wiring, { name: "tulip" });
