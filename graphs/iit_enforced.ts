import { compileGraph } from "./agentGraph.js";
import { planningOnce } from "./iitFamily.js";

/**
 * The provider enforces the form of the reply, with names of tools and arguments from those that were found
 * ("AI Agent 007": output enforcer); where it cannot, `checkPlan` mends names that are nearly right.
 */
export const builder = planningOnce({ style: "enforced" });

export const graph = compileGraph(builder, { name: "iit_enforced" });
