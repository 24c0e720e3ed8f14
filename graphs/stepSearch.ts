import { END } from "@langchain/langgraph";
import { PUBLISHED_TEMPERATURE } from "../state/budget/toolValues.js";
import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { searchCalls } from "../nodes/acting/searchCalls.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { search } from "../nodes/finding/search.js";
import { agenda } from "../nodes/searching-steps/agenda.js";
import { summarize } from "../nodes/searching-steps/summarize.js";
import { vote } from "../nodes/searching-steps/vote.js";
import {
  branchEnded,
  calling,
  remembering,
  searching,
  unanswered,
  unjudged,
  voting,
} from "./conditions.js";

/** After a reply of a step search. */
const stepNext = [[branchEnded, "agenda"], [searching, "searchCalls"], "execute"] as const;

/**
 * A step search: tools for the request, then steps by an agenda, each of which may be a search for the tools of
 * the next; a budget is neither told nor enforced. With one try at each step it is a chain (ReAct as BTP runs it).
 */
export const stepSearch = {
  intake: { run: intake({ budget: "ignored" }), next: "search" },
  // No calls to summarize yet.
  search: { run: search({ by: "request" }), next: "agenda", ended: "respond" },
  agenda: {
    run: agenda({ width: 1, vote: false, maxDepth: 12, maxQueries: 200 }),
    next: "act",
  },
  act: { run: act({ tools: "found", ending: "finish" }), next: stepNext },
  searchCalls: { run: searchCalls(), next: [[calling, "execute"], "agenda"] },
  execute: { run: execute(), next: [[remembering, "judge"], "agenda"] },
  judge: { run: judge(), next: [[unjudged, "judge"], "agenda"] },
  // It may ask again although the run has already ended, and never ends one itself.
  summarize: { run: summarize(), next: "respond" },
  respond: { run: respond(), next: END },
} as const;

/** If a search ends without an answer, what its calls found is summarized. */
export const toSummary = { ended: [[unanswered, "summarize"], "respond"] } as const;

/** Depth first with two tries at each step (DFSDT of ToolLLM as BTP runs it). */
export const depthFirst = {
  agenda: {
    run: agenda({ width: 2, vote: false, maxDepth: 12, maxQueries: 200 }),
    next: "act",
  },
} as const;

/** Both tries are made first, then followed in the order of a vote (ToT as BTP runs it). */
export const votingFirst = {
  agenda: {
    run: agenda({ width: 2, vote: true, maxDepth: 8, maxQueries: 30 }),
    next: [[voting, "vote"], "act"],
  },
  vote: { run: vote(), next: "agenda" },
} as const;

/** The model is told prices and the remaining budget (BTP: "+Prompt"). */
export const told = {
  intake: { run: intake({ budget: "told" }), next: "search" },
  act: { run: act({ tools: "found", ending: "finish", prices: true }), next: stepNext },
} as const;

/** Before the first step a knapsack plans the calls, using judgements of earlier ones; the plan is enforced (BTP). */
export const planned = {
  intake: { run: intake({ budget: "enforced" }), next: "search" },
  search: { run: search({ by: "request" }), next: "planBudget", ended: "respond" },
  planBudget: {
    run: planBudget({ temperature: PUBLISHED_TEMPERATURE }),
    next: [[calling, "execute"], "agenda"],
  },
  searchCalls: { run: searchCalls(), next: "planBudget" },
  execute: { run: execute(), next: "judge" },
} as const;
