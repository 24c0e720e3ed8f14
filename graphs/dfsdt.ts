import { compileGraph } from "./agentGraph.js";
import { DFSDT, stepSearch } from "./stepSearch.js";

/** DFSDT, as published: a budget is neither told nor enforced (BTP, baseline). */
export const builder = stepSearch(DFSDT);

export const graph = compileGraph(builder, { name: "dfsdt" });
