import { decompose } from "../nodes/finding/decompose.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { wiring as cot_tulip } from "./cot_tulip.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As cot_tulip; decomposition is shown one worked example",
  source: `${TULIP}: OneShotCotTulipAgent`,
  budget: "enforced",
  modelCalls: 4,
};

const { table } = cot_tulip;

/** OneShotCotTulip: CotTulip whose decomposition is shown one worked example. */
export const wiring = wire("intake", {
  ...table,
  decompose: { ...table.decompose, run: decompose({ style: "oneShot" }) },
});

export const graph = compileGraph(wiring, { name: "one_shot_cot_tulip" });
