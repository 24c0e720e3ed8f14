import { compileGraph } from "./agentGraph.js";
import { cotFamily } from "./cotFamily.js";

/** CotTulip: decompose, search for each subtask, recurse on misses, act (Tulip Agent). */
export const builder = cotFamily({ style: "plain" }).addEdge("intake", "decompose");

export const graph = compileGraph(builder, { name: "cot_tulip" });
