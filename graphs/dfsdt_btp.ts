import { compileGraph } from "./agentGraph.js";
import { DFSDT, stepSearch } from "./stepSearch.js";

/** DFSDT under a plan of the budget (BTP). */
export const builder = stepSearch(DFSDT, { planned: "once" });

export const graph = compileGraph(builder, { name: "dfsdt_btp" });
