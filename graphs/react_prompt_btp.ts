import { compileGraph } from "./agentGraph.js";
import { REACT, stepSearch } from "./stepSearch.js";

/** ReAct under a plan of the budget that is told as well (BTP, "+Prompt+BTP"). */
export const builder = stepSearch(REACT, { told: true, planned: "once" });

export const graph = compileGraph(builder, { name: "react_prompt_btp" });
