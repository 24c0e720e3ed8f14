import { compileGraph } from "./agentGraph.js";
import { DFSDT, stepSearch } from "./stepSearch.js";

/** DFSDT under a plan of the budget that is told as well (BTP, "+Prompt+BTP"). */
export const builder = stepSearch(DFSDT, { told: true, planned: "once" });

export const graph = compileGraph(builder, { name: "dfsdt_prompt_btp" });
