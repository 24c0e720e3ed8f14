import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TPTU } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "The tools as given, no demonstrations (published: 38.89 % with the right tools given)",
  source: `${TPTU}: base model`,
  budget: "enforced",
  modelCalls: 2,
};

/** The tools as given, and no demonstrations (TPTU-v2: the base model with the APIs of an oracle). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "everything" }), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "tptu_base" });
