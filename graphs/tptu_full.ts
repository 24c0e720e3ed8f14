import { compileGraph } from "./agentGraph.js";
import { withDemonstrations } from "./tptuFamily.js";

/** Search and demonstrations, for a tuned model (TPTU-v2: retriever, demo selector, tuned model). */
export const builder = withDemonstrations({ by: "request" });

export const graph = compileGraph(builder, { name: "tptu_full" });
