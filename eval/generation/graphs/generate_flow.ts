import { compileGraph } from "../../../graphs/compile.js";
import { wireOver } from "../../../graphs/wire.js";
import { beginPair } from "../nodes/beginPair.js";
import { checkPair } from "../nodes/checkPair.js";
import { groundFlow } from "../nodes/groundFlow.js";
import { sampleFlow } from "../nodes/sampleFlow.js";
import { writeQuery } from "../nodes/writeQuery.js";
import { GENERATION, chained, planned } from "./generation.js";

/**
 * Writes one request for a plan ("AI Agent 007", flow-based): draws a chain of tools, chooses values with which it runs,
 * then words the request. A failed draw is followed by the next one.
 */
export const wiring = wireOver(GENERATION, "beginPair", {
  beginPair: { run: beginPair(), next: "sampleFlow" },
  sampleFlow: { run: sampleFlow(), next: [[chained, "groundFlow"], "sampleFlow"] },
  groundFlow: { run: groundFlow(), next: [[planned, "writeQuery"], "sampleFlow"] },
  writeQuery: { run: writeQuery(), next: [[planned, "checkPair"], "sampleFlow"] },
  checkPair: { run: checkPair(), next: "sampleFlow" },
});

export const graph = compileGraph(wiring, { name: "generate_flow" });
