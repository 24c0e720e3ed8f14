import { END, START, type StateGraph } from "@langchain/langgraph";
import { PUBLISHED_TEMPERATURE } from "../budget/evidence.js";
import { act } from "../nodes/acting/act.js";
import { type SearchShape, agenda } from "../nodes/searching-steps/agenda.js";
import { execute } from "../nodes/acting/execute.js";
import { branchEnd } from "../nodes/acting/finish.js";
import { intake } from "../nodes/request/intake.js";
import { judge } from "../nodes/acting/judge.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { respond } from "../nodes/request/respond.js";
import { search } from "../nodes/finding/search.js";
import { summarize } from "../nodes/searching-steps/summarize.js";
import { vote } from "../nodes/searching-steps/vote.js";
import type { GraphState, Input, Output, State, StateUpdate } from "../state/state.js";
import { agentGraph, unlessEnded } from "./agentGraph.js";
import { afterExecute, afterJudge, lastReply } from "./routers.js";

/** What of a budget a search heeds; nothing of it in the published baselines. */
export interface BudgetHeed {
  /** Prices and what is left are told to the model (BTP: "+Prompt"). */
  told?: boolean;
  /** Calls are planned by a knapsack before the first step, or again after each, and the plan holds (BTP). */
  planned?: "once" | "afterEachStep";
}

/** A chain: one try at each step (ReAct as BTP runs it). */
export const REACT: SearchShape = { width: 1, vote: false, maxDepth: 12, maxQueries: 200 };

/** Depth first with two tries at each step (DFSDT of ToolLLM as BTP runs it). */
export const DFSDT: SearchShape = { width: 2, vote: false, maxDepth: 12, maxQueries: 200 };

/** Both tries are made first, and followed in the order of a vote (ToT as BTP runs it). */
export const TOT_DFS: SearchShape = { width: 2, vote: true, maxDepth: 8, maxQueries: 30 };

/** Its nodes depend on the shape of the search, so that their names are no part of its type. */
type Builder = StateGraph<
  typeof State,
  GraphState,
  StateUpdate,
  string,
  typeof Input,
  typeof Output
>;

/**
 * The wiring of every search over steps: tools for the request, a plan of the budget where one is
 * wanted, steps by an agenda, and where they lead to no answer a summary of all that was found.
 */
export function stepSearch(shape: SearchShape, heed: BudgetHeed = {}): Builder {
  const { told = false, planned } = heed;
  const builder = agentGraph() as unknown as Builder;
  const unplanned = told ? "told" : "ignored";
  builder
    .addNode("intake", intake({ budget: planned ? "enforced" : unplanned }))
    .addNode("search", search({ by: "request" }))
    .addNode("agenda", agenda(shape))
    .addNode("act", act({ tools: "found", ending: "finish", prices: told }))
    .addNode("execute", execute())
    .addNode("judge", judge())
    .addNode("summarize", summarize())
    .addNode("respond", respond())
    .addEdge(START, "intake")
    .addEdge("intake", "search")
    .addConditionalEdges("act", unlessOver(routeAfterAct), ["act", "execute", "agenda", ...ENDS])
    .addConditionalEdges("summarize", routeAfterSummarize, ["summarize", "respond"])
    .addEdge("respond", END);
  addAgenda(builder, shape);
  addPlanning(builder, planned);
  return builder;
}

function addAgenda(builder: Builder, shape: SearchShape): void {
  const ways = ["act", ...ENDS];
  if (!shape.vote) {
    builder.addConditionalEdges("agenda", unlessOver(routeAfterAgenda), ways);
    return;
  }
  builder
    .addNode("vote", vote())
    .addConditionalEdges("agenda", unlessOver(routeAfterAgenda), [...ways, "vote"])
    .addConditionalEdges(
      "vote",
      unlessOver(() => "agenda"),
      ["agenda", ...ENDS],
    );
}

/**
 * How little past requests count in a plan that are unlike the present one. That of replanning was chosen on
 * requests of a world drawn with another seed than the one that `eval budget` reports.
 */
const TEMPERATURES = { once: PUBLISHED_TEMPERATURE, afterEachStep: 0.1 };

/** Between the tools and the first step, and between a step's calls and the next step. */
function addPlanning(builder: Builder, planned: BudgetHeed["planned"]): void {
  const next = planned === "afterEachStep" ? "planBudget" : "agenda";
  const start = planned ? "planBudget" : "agenda";
  if (planned) {
    builder
      .addNode("planBudget", planBudget({ temperature: TEMPERATURES[planned] }))
      .addConditionalEdges(
        "planBudget",
        unlessOver(() => "agenda"),
        ["agenda", ...ENDS],
      )
      .addConditionalEdges(
        "execute",
        unlessOver(() => "judge"),
        ["judge", ...ENDS],
      );
  } else {
    builder.addConditionalEdges(
      "execute",
      afterExecute(() => next),
      ["judge", next],
    );
  }
  builder
    .addConditionalEdges(
      "search",
      unlessEnded(() => start),
      [start, "respond"],
    )
    .addConditionalEdges("judge", unlessOver(afterJudge(() => next)), ["judge", next, ...ENDS]);
}

function routeAfterAct(state: GraphState) {
  if (state.repair) return "act";
  return branchEnd(lastReply(state)) ? "agenda" : "execute";
}

function routeAfterAgenda({ tree }: GraphState) {
  return tree?.ballot ? "vote" : "act";
}

function routeAfterSummarize({ repair }: GraphState) {
  return repair ? "summarize" : "respond";
}

/** Where a run goes that has come to its end. */
const ENDS = ["summarize", "respond"];

/** Where a search has ended without an answer, what its calls have found is summarized. */
function unlessOver<Next extends string>(router: (state: GraphState) => Next) {
  return function routeUnlessOver(state: GraphState): Next | "summarize" | "respond" {
    if (state.status === "running") return router(state);
    const { tree, calls } = state;
    const isAnswered = tree?.nodes[tree.cursor]?.end === "answer";
    return !isAnswered && calls.some(({ refused }) => !refused) ? "summarize" : "respond";
  };
}
