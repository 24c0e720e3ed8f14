import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { depthFirst, stepSearch, told, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Depth first, two tries at each step; told prices and what is left, but not stopped",
  source: `${BTP}: DFSDT+Prompt`,
  budget: "told",
  modelCalls: 2,
};

/** DFSDT told of prices and the remaining budget, which is not enforced (BTP, "+Prompt"). */
export const wiring = wire("intake", { ...stepSearch, ...depthFirst, ...told }, toSummary);

export const graph = compileGraph(wiring, { name: "dfsdt_prompt" });
