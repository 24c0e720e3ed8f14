import { decompose } from "../nodes/finding/decompose.js";
import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Decompose, then act with all tools of the library",
  source: `${TULIP}: CotToolAgent`,
  budget: "enforced",
  modelCalls: 3,
};

/** CotToolAgent: decompose, then act with all tools of the library (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "decompose" },
  decompose: { run: decompose({ style: "plain" }), next: "search" },
  search: { run: search({ by: "everything" }), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "cot_tool" });
