import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { depthFirst, stepSearch, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Depth first, two tries at each step; as published; ignores budgets",
  source: `${BTP}: DFSDT`,
  budget: "ignored",
  modelCalls: 2,
};

/** DFSDT, as published: a budget is neither told nor enforced (BTP, baseline). */
export const wiring = wire("intake", { ...stepSearch, ...depthFirst }, toSummary);

export const graph = compileGraph(wiring, { name: "dfsdt" });
