import { reflect } from "../nodes/planning/reflect.js";
import { type About, IIT } from "./about.js";
import { compileGraph } from "./compile.js";
import { accepted, reflecting } from "./conditions.js";
import { wiring as iit_main } from "./iit_main.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As iit_main; the model reviews its plan and rewrites it, at most twice",
  source: `${IIT}: Reflexion`,
  budget: "enforced",
  modelCalls: 2,
};

const { table } = iit_main;

/**
 * Actor, evaluator and self-reflection ("AI Agent 007": Reflexion): the check and the model judge each plan,
 * and the model says what to change, until a plan is accepted or it has been reflected on twice. The last plan is
 * the answer.
 */
export const wiring = wire("intake", {
  ...table,
  checkPlan: { ...table.checkPlan, next: [[reflecting, "reflect"], "answerFromPlan"] },
  reflect: { run: reflect(), next: [[accepted, "answerFromPlan"], "compose"] },
});

export const graph = compileGraph(wiring, { name: "iit_reflexion" });
