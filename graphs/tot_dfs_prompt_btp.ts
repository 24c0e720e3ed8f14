import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { planned, stepSearch, told, toSummary, votingFirst } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As dfsdt; both tries are made first and voted on; with planned calls, and told prices",
  source: `${BTP}: ToT-DFS+Prompt+BTP`,
  budget: "enforced",
  modelCalls: 8,
  needs: ["experience"],
};

/** ToT with depth-first search within an allowance for each tool, and told of the budget (BTP, "+Prompt+BTP"). */
export const wiring = wire(
  "intake",
  { ...stepSearch, ...votingFirst, ...told, ...planned },
  toSummary,
);

export const graph = compileGraph(wiring, { name: "tot_dfs_prompt_btp" });
