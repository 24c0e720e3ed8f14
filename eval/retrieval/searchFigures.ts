import { mean } from "../statistics/descriptive.js";
import { compAtK, ndcgAtK, recallAtK } from "../scorers/retrieval.js";

/** How well requests find their tools, as shares. */
export type SearchFigures = Record<(typeof SEARCH_FIGURES)[number], number>;

export const SEARCH_FIGURES = ["recall5", "recall10", "ndcg10", "comp10"] as const;

/** The figures of one request. */
export function searchFigures(options: {
  ranked: readonly string[];
  relevant: readonly string[];
}): SearchFigures {
  return {
    recall5: recallAtK({ ...options, k: 5 }),
    recall10: recallAtK({ ...options, k: 10 }),
    ndcg10: ndcgAtK({ ...options, k: 10 }),
    comp10: compAtK({ ...options, k: 10 }),
  };
}

/** The means over requests, or over sets. */
export function meanFigures(all: readonly SearchFigures[]): SearchFigures {
  const means = SEARCH_FIGURES.map((figure) => [figure, mean(all.map((each) => each[figure]))]);
  return Object.fromEntries(means) as SearchFigures;
}
