import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One search with the request itself, then act",
  source: `${TULIP}: MinimalTulipAgent`,
  budget: "enforced",
  modelCalls: 2,
};

/** MinimalTulip: one search with the request itself, then act (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "minimal_tulip" });
