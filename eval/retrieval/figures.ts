import { compAtK, ndcgAtK, recallAtK } from "../scorers/retrieval.js";
import { estimateOf } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import type { Ranking } from "../../tools/library/search/request.js";
import { type Question, servingTools } from "./questions.js";

/** How well one method does on the questions of one split, as shares. */
export type RetrievalRow = ReturnType<typeof retrievalRows>[number];

const ALL_SPLITS = "all";

/** The rank for NDCG and COMP, as in the published tables. */
const FIXED_K = 10;

/**
 * The figures of one method: over all questions first, then by split if there are several.
 *
 * @param options.rankings ids for each question, the best first
 * @param options.ks ranks for Recall@k
 */
export function retrievalRows(options: {
  method: Ranking;
  questions: readonly Question[];
  rankings: readonly (readonly string[])[];
  ks: readonly number[];
}) {
  const { method, questions, rankings, ks } = options;
  const judged = questions.map((question, at) => {
    // Of tools that serve alike, the first that is found stands for all.
    const serving = servingTools(question);
    const meant = new Map(
      serving.flatMap(([first = "", ...rest]) => rest.map((id) => [id, first])),
    );
    const ranked = (rankings[at] ?? []).map((id) => meant.get(id) ?? id);
    return {
      split: question.split,
      ranked: [...new Set(ranked)],
      relevant: serving.flatMap(([first]) => first ?? []),
    };
  });
  const splits = new Set(questions.flatMap(({ split }) => split ?? []));
  const parts = [
    { split: ALL_SPLITS, judged },
    ...(splits.size > 1 ? [...splits] : []).map((split) => ({
      split,
      judged: judged.filter((each) => each.split === split),
    })),
  ];
  return parts.map((part) => ({ method, ...rowOf({ ...part, ks }) }));
}

interface Judged {
  ranked: readonly string[];
  relevant: readonly string[];
}

function rowOf(options: { split: string; judged: readonly Judged[]; ks: readonly number[] }) {
  const { split, judged, ks } = options;
  return {
    /** "all" for all splits together. */
    split,
    queries: judged.length,
    recall: ks.map((k) => ({
      k,
      ...estimateOf(judged.map((each) => recallAtK({ ...each, k }))),
    })),
    ndcg10: mean(judged.map((each) => ndcgAtK({ ...each, k: FIXED_K }))),
    comp10: mean(judged.map((each) => compAtK({ ...each, k: FIXED_K }))),
  };
}
