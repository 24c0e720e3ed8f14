import { PUBLISHED_TEMPERATURE } from "../state/budget/toolValues.js";
import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { searchCalls } from "../nodes/acting/searchCalls.js";
import { planChain } from "../nodes/planning/planChain.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { intake } from "../nodes/request/intake.js";
import { search } from "../nodes/finding/search.js";
import { agenda } from "../nodes/stepSearch/agenda.js";
import { summarize } from "../nodes/stepSearch/summarize.js";
import { vote } from "../nodes/stepSearch/vote.js";
import { family } from "./about.js";
import {
  branchEnded,
  calling,
  remembering,
  searching,
  unanswered,
  unjudged,
  voting,
} from "./conditions.js";
import { answered } from "./toolLoop.js";
import { wire } from "./wire.js";

const stepNext = [[branchEnded, "agenda"], [searching, "searchCalls"], "execute"] as const;

/**
 * A step search: tools for the request, then steps by an agenda, each of which may be a search for the tools of
 * the next; a budget is neither told nor enforced. With one try at each step it is a chain (ReAct as BTP runs it).
 */
const stepSearch = {
  intake: { run: intake({ budget: "ignored" }), next: "search" },
  // No calls to summarize yet.
  search: { run: search({ by: "request" }), next: "agenda", ended: "respond" },
  agenda: { run: agenda({ width: 1, vote: false, maxDepth: 12, maxQueries: 200 }), next: "act" },
  act: { run: act({ tools: "found", ending: "finish" }), next: stepNext },
  searchCalls: { run: searchCalls(), next: [[calling, "execute"], "agenda"] },
  execute: { run: execute(), next: [[remembering, "judge"], "agenda"] },
  judge: { run: judge(), next: [[unjudged, "judge"], "agenda"] },
  // It may ask again although the run has already ended, and never ends one itself.
  summarize: { run: summarize(), next: "respond" },
  ...answered,
} as const;

/** If a search ends without an answer, what its calls found is summarized. */
const toSummary = { ended: [[unanswered, "summarize"], "respond"] } as const;

/** Depth first with two tries at each step (DFSDT of ToolLLM as BTP runs it). */
const depthFirst = {
  agenda: { run: agenda({ width: 2, vote: false, maxDepth: 12, maxQueries: 200 }), next: "act" },
} as const;

/** Both tries are made first, then followed in the order of a vote (ToT as BTP runs it). */
const votingFirst = {
  agenda: {
    run: agenda({ width: 2, vote: true, maxDepth: 8, maxQueries: 30 }),
    next: [[voting, "vote"], "act"],
  },
  vote: { run: vote(), next: "agenda" },
} as const;

/** The model is told prices and the remaining budget (BTP: "+Prompt"). */
const told = {
  intake: { run: intake({ budget: "told" }), next: "search" },
  act: { run: act({ tools: "found", ending: "finish", prices: true }), next: stepNext },
} as const;

/** Before the first step a knapsack plans the calls, using judgements of earlier ones; the plan is enforced (BTP). */
const planned = {
  intake: { run: intake({ budget: "enforced" }), next: "search" },
  search: { run: search({ by: "request" }), next: "planBudget", ended: "respond" },
  planBudget: {
    run: planBudget({ temperature: PUBLISHED_TEMPERATURE }),
    next: [[calling, "execute"], "agenda"],
  },
  searchCalls: { run: searchCalls(), next: "planBudget" },
  execute: { run: execute(), next: "judge" },
} as const;

/** No call is judged: each is planned by what it returns. */
const { judge: _judge, ...chained } = stepSearch;

/** Chosen on requests of a world with a different seed than the one that the benchmark `priced` has. */
const TEMPERATURE = 0.1;

/** ReAct, DFSDT and ToT: as published, told of the budget, within an allowance for each tool, and both. */
export const made = family({
  react: wire("intake", { ...stepSearch }, toSummary),
  react_prompt: wire("intake", { ...stepSearch, ...told }, toSummary),
  react_btp: wire("intake", { ...stepSearch, ...planned }, toSummary),
  react_prompt_btp: wire("intake", { ...stepSearch, ...told, ...planned }, toSummary),
  dfsdt: wire("intake", { ...stepSearch, ...depthFirst }, toSummary),
  dfsdt_prompt: wire("intake", { ...stepSearch, ...depthFirst, ...told }, toSummary),
  dfsdt_btp: wire("intake", { ...stepSearch, ...depthFirst, ...planned }, toSummary),
  dfsdt_prompt_btp: wire(
    "intake",
    { ...stepSearch, ...depthFirst, ...told, ...planned },
    toSummary,
  ),
  tot_dfs: wire("intake", { ...stepSearch, ...votingFirst }, toSummary),
  tot_dfs_prompt: wire("intake", { ...stepSearch, ...votingFirst, ...told }, toSummary),
  tot_dfs_btp: wire("intake", { ...stepSearch, ...votingFirst, ...planned }, toSummary),
  tot_dfs_prompt_btp: wire(
    "intake",
    { ...stepSearch, ...votingFirst, ...told, ...planned },
    toSummary,
  ),
  react_replan: wire(
    "intake",
    {
      ...stepSearch,
      ...planned,
      planBudget: { ...planned.planBudget, run: planBudget({ temperature: TEMPERATURE }) },
      judge: { ...stepSearch.judge, next: [[unjudged, "judge"], "planBudget"] },
    },
    toSummary,
  ),
  react_knapsack: wire(
    "intake",
    {
      ...stepSearch,
      ...planned,
      planBudget: {
        ...planned.planBudget,
        run: planBudget({ temperature: PUBLISHED_TEMPERATURE, unseen: true }),
      },
    },
    toSummary,
  ),
  react_chain: wire(
    "intake",
    {
      ...chained,
      intake: planned.intake,
      search: { ...planned.search, next: "planChain" },
      planChain: { run: planChain(), next: "agenda" },
      searchCalls: { run: searchCalls(), next: "planChain" },
      execute: { run: execute(), next: "planChain" },
    },
    toSummary,
  ),
});

export const react = made.react.graph;
export const react_prompt = made.react_prompt.graph;
export const react_btp = made.react_btp.graph;
export const react_prompt_btp = made.react_prompt_btp.graph;
export const dfsdt = made.dfsdt.graph;
export const dfsdt_prompt = made.dfsdt_prompt.graph;
export const dfsdt_btp = made.dfsdt_btp.graph;
export const dfsdt_prompt_btp = made.dfsdt_prompt_btp.graph;
export const tot_dfs = made.tot_dfs.graph;
export const tot_dfs_prompt = made.tot_dfs_prompt.graph;
export const tot_dfs_btp = made.tot_dfs_btp.graph;
export const tot_dfs_prompt_btp = made.tot_dfs_prompt_btp.graph;
export const react_replan = made.react_replan.graph;
export const react_knapsack = made.react_knapsack.graph;
export const react_chain = made.react_chain.graph;
