import { planBudget } from "../nodes/planning/planBudget.js";
import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { unjudged } from "./conditions.js";
import { planned, stepSearch, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "As react_btp; planned again after each step, with what is left and was seen",
  source: `after ${BTP}`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["experience"],
};

/** Chosen on requests of a world with a different seed than the one that the benchmark `priced` has. */
const TEMPERATURE = 0.1;

/** ReAct within an allowance for each tool, divided again after each step from what is left and what was seen. */
export const wiring = wire(
  "intake",
  {
    ...stepSearch,
    ...planned,
    planBudget: { ...planned.planBudget, run: planBudget({ temperature: TEMPERATURE }) },
    judge: { ...stepSearch.judge, next: [[unjudged, "judge"], "planBudget"] },
  },
  toSummary,
);

export const graph = compileGraph(wiring, { name: "react_replan" });
