import { act } from "../nodes/acting/act.js";
import { decompose } from "../nodes/finding/decompose.js";
import { recurse } from "../nodes/finding/recurse.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { family } from "./about.js";
import { focused, missed, open } from "./conditions.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

const everything = { search: { run: search({ by: "everything" }), next: "act" } } as const;

const phrased = {
  phraseSearch: { run: phraseSearch(), next: "search" },
  search: { run: search({ by: "phrases" }), next: [[missed, "recurse"], "act"] },
} as const;

const cot = {
  intake: { run: intake(), next: "decompose" },
  decompose: { run: decompose({ style: "plain" }), next: [[open, "phraseSearch"], "recurse"] },
  ...phrased,
  recurse: { run: recurse({ by: "splitting" }), next: [[focused, "decompose"], "act"] },
  ...toolLoop,
} as const;

/** The agents of Tulip Agent that differ in how they decompose and search. */
export const made = family({
  naive_tool: wire("intake", {
    intake: { run: intake(), next: "search" },
    ...everything,
    ...toolLoop,
  }),
  cot_tool: wire("intake", {
    intake: { run: intake(), next: "decompose" },
    decompose: { run: decompose({ style: "plain" }), next: "search" },
    ...everything,
    ...toolLoop,
  }),
  naive_tulip: wire("intake", {
    intake: { run: intake(), next: "phraseSearch" },
    ...phrased,
    recurse: { run: recurse({ by: "paraphrasing" }), next: [[open, "phraseSearch"], "act"] },
    ...toolLoop,
  }),
  cot_tulip: wire("intake", cot),
  informed_cot_tulip: wire("intake", {
    ...cot,
    decompose: { ...cot.decompose, run: decompose({ style: "informed" }) },
  }),
  primed_cot_tulip: wire("intake", {
    ...cot,
    intake: { ...cot.intake, next: "searchPriming" },
    searchPriming: { run: search({ by: "priming" }), next: "decompose" },
    decompose: { ...cot.decompose, run: decompose({ style: "primed" }) },
  }),
  one_shot_cot_tulip: wire("intake", {
    ...cot,
    decompose: { ...cot.decompose, run: decompose({ style: "oneShot" }) },
    act: { ...cot.act, run: act({ tools: "found", oneShot: true }) },
  }),
});

export const naive_tool = made.naive_tool.graph;
export const cot_tool = made.cot_tool.graph;
export const naive_tulip = made.naive_tulip.graph;
export const cot_tulip = made.cot_tulip.graph;
export const informed_cot_tulip = made.informed_cot_tulip.graph;
export const primed_cot_tulip = made.primed_cot_tulip.graph;
export const one_shot_cot_tulip = made.one_shot_cot_tulip.graph;
