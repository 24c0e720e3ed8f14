import { decompose } from "../nodes/finding/decompose.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { wiring as cot_tulip } from "./cot_tulip.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As cot_tulip; decomposition knows what the library is about",
  source: `${TULIP}: InformedCotTulipAgent`,
  budget: "enforced",
  modelCalls: 4,
};

const { table } = cot_tulip;

/** InformedCotTulip: CotTulip whose decomposition knows what the library is about. */
export const wiring = wire("intake", {
  ...table,
  decompose: { ...table.decompose, run: decompose({ style: "informed" }) },
});

export const graph = compileGraph(wiring, { name: "informed_cot_tulip" });
