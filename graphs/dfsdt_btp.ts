import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { depthFirst, planned, stepSearch, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Depth first, two tries at each step; a knapsack plans the calls, and the plan holds",
  source: `${BTP}: DFSDT+BTP`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["experience"],
};

/** DFSDT within an allowance for each tool (BTP). */
export const wiring = wire("intake", { ...stepSearch, ...depthFirst, ...planned }, toSummary);

export const graph = compileGraph(wiring, { name: "dfsdt_btp" });
