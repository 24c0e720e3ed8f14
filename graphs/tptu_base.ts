import { compileGraph } from "./agentGraph.js";
import { withoutDemonstrations } from "./tptuFamily.js";

/** The tools as given, and no demonstrations (TPTU-v2: the base model with the APIs of an oracle). */
export const builder = withoutDemonstrations({ by: "everything" });

export const graph = compileGraph(builder, { name: "tptu_base" });
