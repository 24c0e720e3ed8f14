import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { stepSearch, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One step after another; as published; ignores budgets",
  source: `${BTP}: ReAct`,
  budget: "ignored",
  modelCalls: 2,
};

/** ReAct, as published: a budget is neither told nor enforced (BTP, baseline). */
export const wiring = wire("intake", { ...stepSearch }, toSummary);

export const graph = compileGraph(wiring, { name: "react" });
