import { compileGraph } from "./agentGraph.js";
import { REACT, stepSearch } from "./stepSearch.js";

/** ReAct, as published: a budget is neither told nor enforced (BTP, baseline). */
export const builder = stepSearch(REACT);

export const graph = compileGraph(builder, { name: "react" });
