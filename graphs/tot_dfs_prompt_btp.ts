import { compileGraph } from "./agentGraph.js";
import { TOT_DFS, stepSearch } from "./stepSearch.js";

/** ToT with depth-first search under a plan of the budget that is told as well (BTP, "+Prompt+BTP"). */
export const builder = stepSearch(TOT_DFS, { told: true, planned: "once" });

export const graph = compileGraph(builder, { name: "tot_dfs_prompt_btp" });
