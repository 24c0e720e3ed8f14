import { type About, BTP } from "./about.js";
import { compileGraph } from "./compile.js";
import { depthFirst, planned, stepSearch, told, toSummary } from "./stepSearch.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "Depth first, two tries at each step; with planned calls, and told prices",
  source: `${BTP}: DFSDT+Prompt+BTP`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["experience"],
};

/** DFSDT within an allowance for each tool, and told of the budget (BTP, "+Prompt+BTP"). */
export const wiring = wire(
  "intake",
  { ...stepSearch, ...depthFirst, ...told, ...planned },
  toSummary,
);

export const graph = compileGraph(wiring, { name: "dfsdt_prompt_btp" });
