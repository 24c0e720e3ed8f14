import { compileGraph } from "./agentGraph.js";
import { withDemonstrations } from "./tptuFamily.js";

/** The tools as given, and demonstrations (TPTU-v2: the base model with APIs and demonstrations). */
export const builder = withDemonstrations({ by: "everything" });

export const graph = compileGraph(builder, { name: "tptu_demos" });
