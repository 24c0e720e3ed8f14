import { compileGraph } from "./agentGraph.js";
import { cotFamily } from "./cotFamily.js";

/** OneShotCotTulip: as CotTulip, and decomposition is shown one worked example. */
export const builder = cotFamily({ style: "oneShot" }).addEdge("intake", "decompose");

export const graph = compileGraph(builder, { name: "one_shot_cot_tulip" });
