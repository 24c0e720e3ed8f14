import type { BudgetUse } from "../nodes/request/intake.js";
import type { AgentGraph, Wiring } from "./agentGraph.js";
import * as autoTulip from "./auto_tulip.js";
import * as base from "./base.js";
import * as cotTool from "./cot_tool.js";
import * as cotTulip from "./cot_tulip.js";
import * as iitAlternate from "./iit_alternate.js";
import * as iitCode from "./iit_code.js";
import * as iitEnforced from "./iit_enforced.js";
import * as iitMain from "./iit_main.js";
import * as iitReflexion from "./iit_reflexion.js";
import * as informedCotTulip from "./informed_cot_tulip.js";
import * as minimalTulip from "./minimal_tulip.js";
import * as naiveTool from "./naive_tool.js";
import * as naiveTulip from "./naive_tulip.js";
import * as oneShotCotTulip from "./one_shot_cot_tulip.js";
import * as primedCotTulip from "./primed_cot_tulip.js";
import * as react from "./react.js";
import * as reactPrompt from "./react_prompt.js";
import * as reactBtp from "./react_btp.js";
import * as reactPromptBtp from "./react_prompt_btp.js";
import * as dfsTulip from "./dfs_tulip.js";
import * as dfsdt from "./dfsdt.js";
import * as dfsdtPrompt from "./dfsdt_prompt.js";
import * as dfsdtBtp from "./dfsdt_btp.js";
import * as dfsdtPromptBtp from "./dfsdt_prompt_btp.js";
import * as totDfs from "./tot_dfs.js";
import * as totDfsPrompt from "./tot_dfs_prompt.js";
import * as totDfsBtp from "./tot_dfs_btp.js";
import * as totDfsPromptBtp from "./tot_dfs_prompt_btp.js";
import * as reactReplan from "./react_replan.js";
import * as stepsTulip from "./steps_tulip.js";
import * as tulip from "./tulip.js";
import * as tptuBase from "./tptu_base.js";
import * as tptuDemos from "./tptu_demos.js";
import * as tptuFull from "./tptu_full.js";
import * as tptuRetriever from "./tptu_retriever.js";

/** A graph, and what to know about it. */
export interface GraphEntry {
  graph: AgentGraph;
  builder: Wiring;
  summary: string;
  /** Where the method was published. */
  source: string;
  /** What the graph makes of a budget that is set. */
  budget: BudgetUse;
  /** What its name promises, and only what was collected before can give. */
  needs?: readonly GraphNeed[];
}

/** `demonstrations` of tasks that are alike · `experience`: past calls of tools · `retriever`: a trained one */
export type GraphNeed = "demonstrations" | "experience" | "retriever";

const BTP = "BTP (Zheng et al., arXiv:2402.15960)";
const IIT = '"AI Agent 007"';
const TPTU = "TPTU-v2 (Kong et al., arXiv:2311.11315)";
const TULIP = "Tulip Agent (Ocker et al., arXiv:2407.21778)";

/** Every graph by its id. */
export const graphs = named({
  tulip: {
    ...tulip,
    summary:
      "One search, one plan: a small program that is checked, shown and followed without the model",
    source: `Tulip Agent, BTP, "AI Agent 007" and TPTU-v2 joined, with code as the plan`,
    budget: "enforced",
  },
  steps_tulip: {
    ...stepsTulip,
    summary: "As tulip, with a plan that is a list of steps",
    source: `Tulip Agent, BTP, "AI Agent 007" and TPTU-v2 joined`,
    budget: "enforced",
  },
  base: {
    ...base,
    summary: "One model call without tools",
    source: `${TULIP}: BaseAgent`,
    budget: "enforced",
  },
  naive_tool: {
    ...naiveTool,
    summary: "All tools of the library are shown to the model",
    source: `${TULIP}: NaiveToolAgent`,
    budget: "enforced",
  },
  cot_tool: {
    ...cotTool,
    summary: "Decompose, then act with all tools of the library",
    source: `${TULIP}: CotToolAgent`,
    budget: "enforced",
  },
  minimal_tulip: {
    ...minimalTulip,
    summary: "One search with the request itself, then act",
    source: `${TULIP}: MinimalTulipAgent`,
    budget: "enforced",
  },
  naive_tulip: {
    ...naiveTulip,
    summary: "The model phrases searches for the request, then acts",
    source: `${TULIP}: NaiveTulipAgent`,
    budget: "enforced",
  },
  cot_tulip: {
    ...cotTulip,
    summary: "Decompose, search for each subtask, recurse on misses, act",
    source: `${TULIP}: CotTulipAgent`,
    budget: "enforced",
  },
  informed_cot_tulip: {
    ...informedCotTulip,
    summary: "As cot_tulip; decomposition knows what the library is about",
    source: `${TULIP}: InformedCotTulipAgent`,
    budget: "enforced",
  },
  primed_cot_tulip: {
    ...primedCotTulip,
    summary: "As cot_tulip; decomposition knows names of tools near the request",
    source: `${TULIP}: PrimedCotTulipAgent`,
    budget: "enforced",
  },
  one_shot_cot_tulip: {
    ...oneShotCotTulip,
    summary: "As cot_tulip; decomposition is shown one worked example",
    source: `${TULIP}: OneShotCotTulipAgent`,
    budget: "enforced",
  },
  auto_tulip: {
    ...autoTulip,
    summary: "The model searches, decomposes, and creates, changes and deletes tools itself",
    source: `${TULIP}: AutoTulipAgent`,
    budget: "enforced",
  },
  dfs_tulip: {
    ...dfsTulip,
    summary: "A tree of tasks, depth first: split, solve, plan again, and create what is missing",
    source: `${TULIP}: DfsTulipAgent`,
    budget: "enforced",
  },
  react: {
    ...react,
    summary: "One step after the other; as published; heeds no budget",
    source: `${BTP}: ReAct`,
    budget: "ignored",
  },
  react_prompt: {
    ...reactPrompt,
    summary: "One step after the other; is told prices and what is left; nothing is enforced",
    source: `${BTP}: ReAct+Prompt`,
    budget: "told",
  },
  react_btp: {
    ...reactBtp,
    summary: "One step after the other; a knapsack plans the calls, and the plan holds",
    source: `${BTP}: ReAct+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  react_prompt_btp: {
    ...reactPromptBtp,
    summary: "One step after the other; planned calls, and prices are told",
    source: `${BTP}: ReAct+Prompt+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  dfsdt: {
    ...dfsdt,
    summary: "Depth first, two tries at each step; as published; heeds no budget",
    source: `${BTP}: DFSDT`,
    budget: "ignored",
  },
  dfsdt_prompt: {
    ...dfsdtPrompt,
    summary:
      "Depth first, two tries at each step; is told prices and what is left; nothing is enforced",
    source: `${BTP}: DFSDT+Prompt`,
    budget: "told",
  },
  dfsdt_btp: {
    ...dfsdtBtp,
    summary: "Depth first, two tries at each step; a knapsack plans the calls, and the plan holds",
    source: `${BTP}: DFSDT+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  dfsdt_prompt_btp: {
    ...dfsdtPromptBtp,
    summary: "Depth first, two tries at each step; planned calls, and prices are told",
    source: `${BTP}: DFSDT+Prompt+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  tot_dfs: {
    ...totDfs,
    summary: "As dfsdt; siblings are made first and voted on; as published; heeds no budget",
    source: `${BTP}: ToT-DFS`,
    budget: "ignored",
  },
  tot_dfs_prompt: {
    ...totDfsPrompt,
    summary:
      "As dfsdt; siblings are made first and voted on; is told prices and what is left; nothing is enforced",
    source: `${BTP}: ToT-DFS+Prompt`,
    budget: "told",
  },
  tot_dfs_btp: {
    ...totDfsBtp,
    summary:
      "As dfsdt; siblings are made first and voted on; a knapsack plans the calls, and the plan holds",
    source: `${BTP}: ToT-DFS+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  tot_dfs_prompt_btp: {
    ...totDfsPromptBtp,
    summary: "As dfsdt; siblings are made first and voted on; planned calls, and prices are told",
    source: `${BTP}: ToT-DFS+Prompt+BTP`,
    budget: "enforced",
    needs: ["experience"],
  },
  react_replan: {
    ...reactReplan,
    summary: "As react_btp; planned again after each step with what is left and was seen",
    source: `after ${BTP}`,
    budget: "enforced",
    needs: ["experience"],
  },
  tptu_base: {
    ...tptuBase,
    summary:
      "The tools as given, no demonstrations (published: 38.89 % with the right tools given)",
    source: `${TPTU}: base model`,
    budget: "enforced",
  },
  tptu_retriever: {
    ...tptuRetriever,
    summary:
      "One search with the request itself (published: 43.33 %, with a tuned model 80 %); uses a trained retriever",
    source: `${TPTU}: API retriever`,
    budget: "enforced",
    needs: ["retriever"],
  },
  tptu_demos: {
    ...tptuDemos,
    summary: "As tptu_base, with demonstrations of similar tasks (published: 95.55 %)",
    source: `${TPTU}: demo selector`,
    budget: "enforced",
    needs: ["demonstrations"],
  },
  tptu_full: {
    ...tptuFull,
    summary:
      "One search, then demonstrations of similar tasks; for a tuned model (published: 96.67 % with one)",
    source: `${TPTU}: retriever, demo selector and tuned model`,
    budget: "enforced",
    needs: ["retriever", "demonstrations"],
  },
  iit_main: {
    ...iitMain,
    summary: "Plans in one reply by states and actions; nothing is called, the plan is the answer",
    source: `${IIT}: main solution`,
    budget: "enforced",
  },
  iit_alternate: {
    ...iitAlternate,
    summary:
      "Plans tasks with their tools, then all calls under the schemas of these tools; nothing is called",
    source: `${IIT}: alternate solution`,
    budget: "enforced",
  },
  iit_reflexion: {
    ...iitReflexion,
    summary: "As iit_main; the model looks through its plan and writes it anew, at most twice",
    source: `${IIT}: Reflexion`,
    budget: "enforced",
  },
  iit_code: {
    ...iitCode,
    summary: "Plans as code over functions, which is read and never run; nothing is called",
    source: `${IIT}: metaprogramming`,
    budget: "enforced",
  },
  iit_enforced: {
    ...iitEnforced,
    summary: "Plans in a reply whose form and names the provider enforces; nothing is called",
    source: `${IIT}: output enforcer`,
    budget: "enforced",
  },
});

export type GraphId = keyof typeof graphs;

/** The graph that `solve` runs when none is named. */
export const DEFAULT_GRAPH: GraphId = "tulip";

/** Keeps the ids and forgets what tells one wiring's type from another's. */
function named<Id extends string>(entries: Record<Id, GraphEntry>): Record<Id, GraphEntry> {
  return entries;
}
