import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { planned, stepSearch, told, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One step after another; with planned calls, and told prices",
  source: `${BTP}: ReAct+Prompt+BTP`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["experience"],
};

/** ReAct within an allowance for each tool, and told of the budget (BTP, "+Prompt+BTP"). */
export const wiring = wire("intake", { ...stepSearch, ...told, ...planned }, toSummary);

export const graph = compileGraph(wiring, { name: "react_prompt_btp" });
