import { compileGraph } from "./agentGraph.js";
import { REACT, stepSearch } from "./stepSearch.js";

/** ReAct under a plan of the budget (BTP). */
export const builder = stepSearch(REACT, { planned: "once" });

export const graph = compileGraph(builder, { name: "react_btp" });
