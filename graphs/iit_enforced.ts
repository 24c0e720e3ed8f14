import { compose } from "../nodes/planning/compose.js";
import { type About, IIT } from "./about.js";
import { compileGraph } from "./compile.js";
import { wiring as iit_main } from "./iit_main.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Plans in a reply whose form and names the provider enforces; nothing is called",
  source: `${IIT}: output enforcer`,
  budget: "enforced",
  modelCalls: 1,
};

const { table } = iit_main;

/**
 * The provider enforces the form of the reply and the names of found tools and their arguments ("AI Agent 007":
 * output enforcer). If it cannot, `checkPlan` fixes names that are nearly right.
 */
export const wiring = wire("intake", {
  ...table,
  compose: { ...table.compose, run: compose({ style: "enforced" }) },
});

export const graph = compileGraph(wiring, { name: "iit_enforced" });
