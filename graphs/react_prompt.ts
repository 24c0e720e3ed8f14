import { compileGraph } from "./agentGraph.js";
import { REACT, stepSearch } from "./stepSearch.js";

/** ReAct that is told prices and what is left; nothing is enforced (BTP, "+Prompt"). */
export const builder = stepSearch(REACT, { told: true });

export const graph = compileGraph(builder, { name: "react_prompt" });
