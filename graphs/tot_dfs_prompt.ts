import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { stepSearch, told, toSummary, votingFirst } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary:
    "As dfsdt; both tries are made first and voted on; told prices and what is left, but not stopped",
  source: `${BTP}: ToT-DFS+Prompt`,
  budget: "told",
  modelCalls: 8,
};

/** ToT with depth-first search, told of prices and the remaining budget, which is not enforced (BTP, "+Prompt"). */
export const wiring = wire("intake", { ...stepSearch, ...votingFirst, ...told }, toSummary);

export const graph = compileGraph(wiring, { name: "tot_dfs_prompt" });
