import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TPTU } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As tptu_base, with demonstrations of similar tasks (published: 95.55 %)",
  source: `${TPTU}: demo selector`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["demonstrations"],
};

/** The tools as given, and demonstrations (TPTU-v2: the base model with APIs and demonstrations). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "everything" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "tptu_demos" });
