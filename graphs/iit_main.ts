import { compileGraph } from "./agentGraph.js";
import { planningOnce } from "./iitFamily.js";

/** One reply, found by states and actions, with a list of insights ("AI Agent 007": main solution). */
export const builder = planningOnce({ style: "stateAction" });

export const graph = compileGraph(builder, { name: "iit_main" });
