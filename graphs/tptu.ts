import { search } from "../nodes/finding/search.js";
import { selectDemos } from "../nodes/finding/selectDemos.js";
import { intake } from "../nodes/request/intake.js";
import { family } from "./about.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

/** The tools as given (the APIs of an oracle) or as searched for, each without and with demonstrations. */
const given = { run: search({ by: "everything" }) };
const searched = { run: search({ by: "request" }) };

const begin = { intake: { run: intake(), next: "search" } } as const;
const demos = { selectDemos: { run: selectDemos(), next: "act" } } as const;

export const made = family({
  tptu_base: wire("intake", { ...begin, search: { ...given, next: "act" }, ...toolLoop }),
  tptu_retriever: wire("intake", { ...begin, search: { ...searched, next: "act" }, ...toolLoop }),
  tptu_demos: wire("intake", {
    ...begin,
    search: { ...given, next: "selectDemos" },
    ...demos,
    ...toolLoop,
  }),
  tptu_full: wire("intake", {
    ...begin,
    search: { ...searched, next: "selectDemos" },
    ...demos,
    ...toolLoop,
  }),
});

export const tptu_base = made.tptu_base.graph;
export const tptu_retriever = made.tptu_retriever.graph;
export const tptu_demos = made.tptu_demos.graph;
export const tptu_full = made.tptu_full.graph;
