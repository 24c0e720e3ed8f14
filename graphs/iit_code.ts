import { compose } from "../nodes/planning/compose.js";
import { type About, IIT } from "./about.js";
import { compileGraph } from "./compile.js";
import { wiring as iit_main } from "./iit_main.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Plans as code over functions, which is read and never run; nothing is called",
  source: `${IIT}: metaprogramming`,
  budget: "enforced",
  modelCalls: 1,
};

const { table } = iit_main;

/**
 * Tools are shown as functions, and the reply is code that is read but never run ("AI Agent 007":
 * metaprogramming).
 */
export const wiring = wire("intake", {
  ...table,
  compose: { ...table.compose, run: compose({ style: "code" }) },
});

export const graph = compileGraph(wiring, { name: "iit_code" });
