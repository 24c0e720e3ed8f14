import { compileGraph } from "./agentGraph.js";
import { withoutDemonstrations } from "./tptuFamily.js";

/** Tools that a search with the request has found (TPTU-v2: the base model with the retriever). */
export const builder = withoutDemonstrations({ by: "request" });

export const graph = compileGraph(builder, { name: "tptu_retriever" });
