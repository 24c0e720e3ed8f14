import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { approvePlan } from "../nodes/planning/approvePlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { dispatchSteps } from "../nodes/planning/dispatchSteps.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { reflect } from "../nodes/planning/reflect.js";
import { intake } from "../nodes/request/intake.js";
import type { About } from "./about.js";
import { compileGraph } from "./compile.js";
import {
  calling,
  following,
  left,
  mending,
  missed,
  open,
  queued,
  rejected,
  remembering,
  supplied,
  unjudged,
} from "./conditions.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As tulip, with a plan that is a list of steps",
  source: 'Tulip Agent, BTP, "AI Agent 007" and TPTU-v2 joined',
  budget: "enforced",
  modelCalls: 1,
};

/**
 * Like `tulip`, but the plan is a list of steps: calls in order, with values from the request or earlier steps,
 * and no conditions or loops. May suit models that write code badly.
 */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "searchRequest" },
  searchRequest: { run: search({ by: "planning" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "compose" },
  compose: {
    run: compose({ style: "typed", executed: true }),
    next: [[queued, "search"], [missed, "recurse"], [left, "planBudgetAnew"], "checkPlan"],
  },
  search: {
    run: search({ by: "lacking" }),
    next: [[missed, "recurse"], [supplied, "compose"], "checkPlan"],
  },
  recurse: {
    run: recurse({ by: "paraphrasing", sparing: true }),
    next: [[open, "phraseSearch"], [supplied, "compose"], "checkPlan"],
  },
  phraseSearch: { run: phraseSearch(), next: "search" },
  checkPlan: { run: checkPlan(), next: [[mending, "reflect"], "approvePlan"] },
  reflect: { run: reflect({ on: "unclear" }), next: "compose" },
  approvePlan: { run: approvePlan(), next: [[rejected, "searchRequest"], "planBudget"] },
  planBudget: { run: planBudget({ grants: "planned" }), next: "dispatchSteps" },
  dispatchSteps: {
    run: dispatchSteps(),
    next: [[left, "planBudgetAnew"], [calling, "execute"], "answerFromPlan"],
  },
  planBudgetAnew: { run: planBudget(), next: [[calling, "execute"], "act"] },
  ...toolLoop,
  searchCalls: { ...toolLoop.searchCalls, next: "planBudgetAnew" },
  execute: {
    ...toolLoop.execute,
    next: [[remembering, "judge"], [following, "dispatchSteps"], "act"],
  },
  judge: { ...toolLoop.judge, next: [[unjudged, "judge"], [following, "dispatchSteps"], "act"] },
  answerFromPlan: { run: answerFromPlan({ as: "text" }), next: "planBudgetAnew" },
});

export const graph = compileGraph(wiring, { name: "steps_tulip" });
