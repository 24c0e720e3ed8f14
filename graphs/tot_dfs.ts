import { compileGraph } from "./agentGraph.js";
import { TOT_DFS, stepSearch } from "./stepSearch.js";

/** ToT with depth-first search, as published: a budget is neither told nor enforced (BTP, baseline). */
export const builder = stepSearch(TOT_DFS);

export const graph = compileGraph(builder, { name: "tot_dfs" });
