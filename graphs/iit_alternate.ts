import { END } from "@langchain/langgraph";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { composeSteps } from "../nodes/planning/composeSteps.js";
import { writeOutline } from "../nodes/planning/writeOutline.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { type About, IIT } from "./about.js";
import { compileGraph } from "./compile.js";
import { outlined } from "./conditions.js";
import { wire } from "./wire.js";

export const about: About = {
  summary:
    "Plans tasks with their tools, then all calls under the schemas of these tools; nothing is called",
  source: `${IIT}: alternate solution`,
  budget: "enforced",
  modelCalls: 2,
};

/**
 * The request is split into tasks, each with its tool; then one reply contains all calls, given only the
 * schemas of these tools ("AI Agent 007": alternate solution).
 */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "writeOutline" },
  writeOutline: { run: writeOutline(), next: [[outlined, "composeSteps"], "checkPlan"] },
  composeSteps: { run: composeSteps(), next: "checkPlan" },
  checkPlan: { run: checkPlan({ mergeReads: true }), next: "answerFromPlan" },
  answerFromPlan: { run: answerFromPlan(), next: "respond" },
  respond: { run: respond(), next: END },
});

export const graph = compileGraph(wiring, { name: "iit_alternate" });
