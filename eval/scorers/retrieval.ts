import { goldTools } from "./solution.js";
import type { Scores } from "./scorer.js";
import { sum } from "../statistics/descriptive.js";

interface Ranking {
  /** Ids, the best first; a repeated id keeps its first rank. */
  ranked: readonly string[];
  /** Ids that the query needs; duplicates count once. */
  relevant: readonly string[];
  /** How many of the first ids count. */
  k: number;
}

/**
 * Recall@k: |relevant ∩ first k| / |relevant|, between 0 and 1 (Manning, Raghavan and Schütze,
 * "Introduction to Information Retrieval", 2008, section 8.4). NaN if nothing is relevant.
 */
export function recallAtK(ranking: Ranking): number {
  const gains = gainsAtK(ranking);
  return sum(gains) / new Set(ranking.relevant).size;
}

/**
 * NDCG@k with binary gains and the discount 1 / log2(rank + 1), divided by that of the best order, which has min(k,
 * |relevant|) hits in front (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with
 * the discount of Burges et al., 2005). Between 0 and 1; NaN if nothing is relevant.
 */
export function ndcgAtK(ranking: Ranking): number {
  const best = Math.min(ranking.k, new Set(ranking.relevant).size);
  return discountedGain(gainsAtK(ranking)) / discountedGain(Array.from({ length: best }, () => 1));
}

/**
 * COMP@k: 1 if every relevant id is among the first k, otherwise 0 (Qu et al., "COLT: Towards
 * Completeness-Oriented Tool Retrieval", 2024; also in ToolRet, Shi et al., 2025). NaN if nothing is relevant.
 */
export function compAtK(ranking: Ranking): number {
  const needed = new Set(ranking.relevant).size;
  if (needed === 0) return Number.NaN;
  return sum(gainsAtK(ranking)) === needed ? 1 : 0;
}

/** For each of the first k ranks: 1 if its id is relevant, otherwise 0. */
function gainsAtK({ ranked, relevant, k }: Ranking): number[] {
  const needed = new Set(relevant);
  return [...new Set(ranked)].slice(0, k).map((id) => (needed.has(id) ? 1 : 0));
}

function discountedGain(gains: readonly number[]): number {
  return sum(gains.map((gain, index) => gain / Math.log2(index + 2)));
}

/** What the searches of a run found. */
export const SEARCH_SCORES = {
  searchRecall: ({ task, run }) => {
    const relevant = goldTools(task);
    if (relevant.length === 0 || run.searches.length === 0) return undefined;
    const ranked = run.searches.flatMap(({ hits }) => hits.map(({ tool }) => tool));
    return recallAtK({ ranked, relevant, k: ranked.length });
  },
} satisfies Scores;
