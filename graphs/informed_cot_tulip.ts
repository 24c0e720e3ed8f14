import { compileGraph } from "./agentGraph.js";
import { cotFamily } from "./cotFamily.js";

/** InformedCotTulip: as CotTulip, and decomposition knows what the library is about. */
export const builder = cotFamily({ style: "informed" }).addEdge("intake", "decompose");

export const graph = compileGraph(builder, { name: "informed_cot_tulip" });
