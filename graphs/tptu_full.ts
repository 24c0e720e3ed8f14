import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TPTU } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary:
    "One search, then demonstrations of similar tasks; for a tuned model (published: 96.67 % with one)",
  source: `${TPTU}: retriever, demo selector and tuned model`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["retriever", "demonstrations"],
};

/** Search and demonstrations, for a tuned model (TPTU-v2: retriever, demo selector, tuned model). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "selectDemos" },
  selectDemos: { run: selectDemos(), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "tptu_full" });
