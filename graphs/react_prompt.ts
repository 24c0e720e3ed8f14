import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { stepSearch, told, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One step after another; told prices and what is left, but not stopped",
  source: `${BTP}: ReAct+Prompt`,
  budget: "told",
  modelCalls: 2,
};

/** ReAct told of prices and the remaining budget, which is not enforced (BTP, "+Prompt"). */
export const wiring = wire("intake", { ...stepSearch, ...told }, toSummary);

export const graph = compileGraph(wiring, { name: "react_prompt" });
