import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "All tools of the library are shown to the model",
  source: `${TULIP}: NaiveToolAgent`,
  budget: "enforced",
  modelCalls: 2,
};

/** NaiveToolAgent: the model is shown all tools of the library (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "everything" }), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "naive_tool" });
