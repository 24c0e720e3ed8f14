import { decompose } from "../nodes/finding/decompose.js";
import { search } from "../nodes/finding/search.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { wiring as cot_tulip } from "./cot_tulip.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As cot_tulip; decomposition knows names of tools near the request",
  source: `${TULIP}: PrimedCotTulipAgent`,
  budget: "enforced",
  modelCalls: 4,
};

const { table } = cot_tulip;

/** PrimedCotTulip: CotTulip whose decomposition knows names of tools near the request. */
export const wiring = wire("intake", {
  ...table,
  intake: { ...table.intake, next: "searchPriming" },
  searchPriming: { run: search({ by: "priming" }), next: "decompose" },
  decompose: { ...table.decompose, run: decompose({ style: "primed" }) },
});

export const graph = compileGraph(wiring, { name: "primed_cot_tulip" });
