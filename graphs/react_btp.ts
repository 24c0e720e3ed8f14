import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { planned, stepSearch, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One step after another; a knapsack plans the calls, and the plan holds",
  source: `${BTP}: ReAct+BTP`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["experience"],
};

/** ReAct within an allowance for each tool (BTP). */
export const wiring = wire("intake", { ...stepSearch, ...planned }, toSummary);

export const graph = compileGraph(wiring, { name: "react_btp" });
