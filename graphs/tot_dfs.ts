import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { stepSearch, toSummary, votingFirst } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As dfsdt; both tries are made first and voted on; as published; ignores budgets",
  source: `${BTP}: ToT-DFS`,
  budget: "ignored",
  modelCalls: 8,
};

/** ToT with depth-first search, as published: a budget is neither told nor enforced (BTP, baseline). */
export const wiring = wire("intake", { ...stepSearch, ...votingFirst }, toSummary);

export const graph = compileGraph(wiring, { name: "tot_dfs" });
