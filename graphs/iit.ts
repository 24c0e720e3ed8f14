import { END } from "@langchain/langgraph";
import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { reflect } from "../nodes/planning/reflect.js";
import { composeSteps } from "../nodes/planning/composeSteps.js";
import { writeOutline } from "../nodes/planning/writeOutline.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { family } from "./about.js";
import { accepted, outlined, reflecting, uncomposed } from "./conditions.js";
import { wire } from "./wire.js";

const found = {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "selectDemos" },
} as const;

const planned = {
  answerFromPlan: { run: answerFromPlan(), next: "respond" },
  respond: { run: respond(), next: END },
} as const;

const main = {
  ...found,
  selectDemos: { run: selectDemos(), next: "compose" },
  compose: { run: compose({ style: "stateAction" }), next: "checkPlan" },
  checkPlan: { run: checkPlan({ mergeReads: false }), next: "answerFromPlan" },
  ...planned,
} as const;

const alternate = {
  ...found,
  selectDemos: { run: selectDemos(), next: "writeOutline" },
  writeOutline: { run: writeOutline(), next: [[outlined, "composeSteps"], "checkPlan"] },
  composeSteps: { run: composeSteps(), next: "checkPlan" },
  checkPlan: { run: checkPlan({ mergeReads: true }), next: "answerFromPlan" },
  ...planned,
} as const;

/** The plan is the answer; nothing is called. */
export const made = family({
  iit_main: wire("intake", main),
  iit_alternate: wire("intake", alternate),
  iit_stepwise: wire("intake", {
    ...alternate,
    composeSteps: {
      run: composeSteps({ each: true }),
      next: [[uncomposed, "composeSteps"], "checkPlan"],
    },
  }),
  iit_controlllm: wire("intake", {
    ...main,
    compose: { ...main.compose, run: compose({ style: "controlLlm" }) },
  }),
  iit_rap: wire("intake", {
    ...main,
    compose: { ...main.compose, run: compose({ style: "retrieved" }) },
  }),
  // Actor, evaluator and self-reflection, until a plan is accepted; else the last plan is the answer.
  iit_reflexion: wire("intake", {
    ...main,
    compose: { ...main.compose, run: compose({ style: "stateAction", insights: true }) },
    checkPlan: { ...main.checkPlan, next: [[reflecting, "reflect"], "answerFromPlan"] },
    reflect: { run: reflect({ on: "plan" }), next: [[accepted, "answerFromPlan"], "compose"] },
  }),
  iit_code: wire("intake", {
    ...main,
    compose: { ...main.compose, run: compose({ style: "code" }) },
  }),
  // If the provider cannot enforce the form, `checkPlan` fixes names that are nearly right.
  iit_enforced: wire("intake", {
    ...main,
    compose: { ...main.compose, run: compose({ style: "enforced" }) },
  }),
});

export const iit_main = made.iit_main.graph;
export const iit_alternate = made.iit_alternate.graph;
export const iit_stepwise = made.iit_stepwise.graph;
export const iit_controlllm = made.iit_controlllm.graph;
export const iit_rap = made.iit_rap.graph;
export const iit_reflexion = made.iit_reflexion.graph;
export const iit_code = made.iit_code.graph;
export const iit_enforced = made.iit_enforced.graph;
