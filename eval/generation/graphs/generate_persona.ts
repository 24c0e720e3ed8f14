import { compileGraph } from "../../../graphs/compile.js";
import { wireOver } from "../../../graphs/wire.js";
import { compose } from "../../../nodes/planning/compose.js";
import { beginPair } from "../nodes/beginPair.js";
import { checkPair } from "../nodes/checkPair.js";
import { samplePersona } from "../nodes/samplePersona.js";
import { writeQuery } from "../nodes/writeQuery.js";
import { GENERATION, equipped, requested } from "./generation.js";

/**
 * Writes one request, then its plan ("AI Agent 007", persona-based): draws a person, tools and things of the world, has
 * a model write a request for them, and plans it. A failed draw is followed by the next one.
 */
export const wiring = wireOver(GENERATION, "beginPair", {
  beginPair: { run: beginPair(), next: "samplePersona" },
  samplePersona: { run: samplePersona(), next: [[equipped, "writeQuery"], "samplePersona"] },
  writeQuery: { run: writeQuery(), next: [[requested, "compose"], "samplePersona"] },
  compose: { run: compose({ style: "typed" }), next: "checkPair" },
  checkPair: { run: checkPair(), next: "samplePersona" },
});

export const graph = compileGraph(wiring, { name: "generate_persona" });
