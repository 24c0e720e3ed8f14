import { compileGraph } from "./agentGraph.js";
import { DFSDT, stepSearch } from "./stepSearch.js";

/** DFSDT that is told prices and what is left; nothing is enforced (BTP, "+Prompt"). */
export const builder = stepSearch(DFSDT, { told: true });

export const graph = compileGraph(builder, { name: "dfsdt_prompt" });
