import { END } from "@langchain/langgraph";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { type About, IIT } from "./about.js";
import { compileGraph } from "./compile.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Plans in one reply by states and actions; nothing is called, the plan is the answer",
  source: `${IIT}: main solution`,
  budget: "enforced",
  modelCalls: 1,
};

/** One reply that reasons in states and actions, with a list of insights ("AI Agent 007": main solution). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "compose" },
  compose: { run: compose({ style: "stateAction" }), next: "checkPlan" },
  checkPlan: { run: checkPlan({ mergeReads: false }), next: "answerFromPlan" },
  answerFromPlan: { run: answerFromPlan(), next: "respond" },
  respond: { run: respond(), next: END },
});

export const graph = compileGraph(wiring, { name: "iit_main" });
