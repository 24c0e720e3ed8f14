import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { intake } from "../nodes/request/intake.js";
import { family } from "./about.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

const TPTU = "TPTU-v2 (Kong et al., arXiv:2311.11315)";

/** The tools as given (the APIs of an oracle) or as searched for, each without and with demonstrations. */
const given = { run: search({ by: "everything" }) };
const searched = { run: search({ by: "request" }) };

const begin = { intake: { run: intake(), next: "search" } } as const;
const demos = { selectDemos: { run: selectDemos(), next: "act" } } as const;

export const made = family({
  tptu_base: {
    summary:
      "The tools as given, no demonstrations (published: 38.89 % with the right tools given)",
    source: `${TPTU}: base model`,
    budget: "enforced",
    modelCalls: 2,
    wiring: wire("intake", { ...begin, search: { ...given, next: "act" }, ...toolLoop }),
  },
  tptu_retriever: {
    summary:
      "One search with the request itself (published: 43.33 %, with a tuned model 80 %); uses a trained retriever",
    source: `${TPTU}: API retriever`,
    budget: "enforced",
    modelCalls: 2,
    needs: ["retriever"],
    wiring: wire("intake", { ...begin, search: { ...searched, next: "act" }, ...toolLoop }),
  },
  tptu_demos: {
    summary: "As tptu_base, with demonstrations of similar tasks (published: 95.55 %)",
    source: `${TPTU}: demo selector`,
    budget: "enforced",
    modelCalls: 2,
    needs: ["demonstrations"],
    wiring: wire("intake", {
      ...begin,
      search: { ...given, next: "selectDemos" },
      ...demos,
      ...toolLoop,
    }),
  },
  tptu_full: {
    summary:
      "One search, then demonstrations of similar tasks; for a tuned model (published: 96.67 % with one)",
    source: `${TPTU}: retriever, demo selector and tuned model`,
    budget: "enforced",
    modelCalls: 2,
    needs: ["retriever", "demonstrations"],
    wiring: wire("intake", {
      ...begin,
      search: { ...searched, next: "selectDemos" },
      ...demos,
      ...toolLoop,
    }),
  },
});

export const tptu_base = made.tptu_base.graph;
export const tptu_retriever = made.tptu_retriever.graph;
export const tptu_demos = made.tptu_demos.graph;
export const tptu_full = made.tptu_full.graph;
