import { compileGraph } from "./agentGraph.js";
import { TOT_DFS, stepSearch } from "./stepSearch.js";

/** ToT with depth-first search that is told prices and what is left; nothing is enforced (BTP, "+Prompt"). */
export const builder = stepSearch(TOT_DFS, { told: true });

export const graph = compileGraph(builder, { name: "tot_dfs_prompt" });
