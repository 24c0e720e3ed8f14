import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { planned, stepSearch, toSummary, votingFirst } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary:
    "As dfsdt; both tries are made first and voted on; a knapsack plans the calls, and the plan holds",
  source: `${BTP}: ToT-DFS+BTP`,
  budget: "enforced",
  modelCalls: 8,
  needs: ["experience"],
};

/** ToT with depth-first search within an allowance for each tool (BTP). */
export const wiring = wire("intake", { ...stepSearch, ...votingFirst, ...planned }, toSummary);

export const graph = compileGraph(wiring, { name: "tot_dfs_btp" });
