import { decompose } from "../nodes/finding/decompose.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { focused, missed, open } from "./conditions.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Decompose, search for each subtask, recurse on misses, act",
  source: `${TULIP}: CotTulipAgent`,
  budget: "enforced",
  modelCalls: 4,
};

/** CotTulip: decompose, search for each subtask, recurse on misses, act (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "decompose" },
  decompose: {
    run: decompose({ style: "plain" }),
    next: [[open, "phraseSearch"], "recurse"],
  },
  phraseSearch: { run: phraseSearch(), next: "search" },
  search: { run: search({ by: "phrases" }), next: [[missed, "recurse"], "act"] },
  recurse: { run: recurse({ by: "splitting" }), next: [[focused, "decompose"], "act"] },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "cot_tulip" });
