import { compileGraph } from "./agentGraph.js";
import { planningOnce } from "./iitFamily.js";

/** Tools are shown as functions, and the reply is code, which is read and never run ("AI Agent 007": metaprogramming). */
export const builder = planningOnce({ style: "code" });

export const graph = compileGraph(builder, { name: "iit_code" });
