import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { missed, open } from "./conditions.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "The model phrases searches for the request, then acts",
  source: `${TULIP}: NaiveTulipAgent`,
  budget: "enforced",
  modelCalls: 3,
};

/** NaiveTulip: the model phrases searches for the request, then acts (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "phraseSearch" },
  phraseSearch: { run: phraseSearch(), next: "search" },
  search: { run: search({ by: "phrases" }), next: [[missed, "recurse"], "act"] },
  recurse: { run: recurse({ by: "paraphrasing" }), next: [[open, "phraseSearch"], "act"] },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "naive_tulip" });
