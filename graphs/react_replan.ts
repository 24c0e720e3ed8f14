import { compileGraph } from "./agentGraph.js";
import { REACT, stepSearch } from "./stepSearch.js";

/** ReAct under a plan of the budget that is made again after each step, with what is left and what was seen. */
export const builder = stepSearch(REACT, { planned: "afterEachStep" });

export const graph = compileGraph(builder, { name: "react_replan" });
