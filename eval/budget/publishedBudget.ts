import type { GraphId } from "../../graphs/index.js";

/**
 * The paper's averages for its own tools, requests and model: Zheng et al.,
 * "Budget-Constrained Tool Learning with Planning", arXiv:2402.15960 (2024). ToolBench,
 * gpt-3.5-turbo-0125, prices of 1 to 10 units, R = 20.
 */
export const BTP_PAPER = "arXiv:2402.15960";

/** What the paper reports for one method. */
interface PublishedBudgetFigures {
  /** Shares of requests. */
  passedWithinBudget: number;
  overBudget?: number;
  /** Units a request. */
  cost: number;
}

const PUBLISHED: Partial<Record<GraphId, PublishedBudgetFigures>> = {
  react: { passedWithinBudget: 0.341, cost: 15.4 },
  react_btp: { passedWithinBudget: 0.437, cost: 6.9, overBudget: 0 },
  dfsdt: { passedWithinBudget: 0.288, cost: 78.3 },
  dfsdt_btp: { passedWithinBudget: 0.645, cost: 9.2, overBudget: 0 },
  tot_dfs: { passedWithinBudget: 0.102, cost: 51.4 },
  tot_dfs_btp: { passedWithinBudget: 0.641, cost: 10.8, overBudget: 0 },
};

/** Average cost and calls of its allowances (table 4 of the paper). */
export const PUBLISHED_PLAN = { cost: 13.9, calls: 2.9 };

/** The paper's averages for a graph; undefined if it has none. */
export function publishedBudgetFigures(graph: GraphId): PublishedBudgetFigures | undefined {
  return PUBLISHED[graph];
}
