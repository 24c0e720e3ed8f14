import type { ToolLibrary } from "../../tools/library/library.js";
import { type Evidence, scoreOf, type SearchWeights } from "../../tools/library/searchWeights.js";
import type { LabelledRequest } from "./labelledRequests.js";

/** A tool that a search considers, with its evidence. */
export interface Candidate {
  id: string;
  evidence: Evidence;
}

/** The tools that a request needs, and those that a search considers for it. */
export interface JudgedRequest {
  relevant: readonly string[];
  candidates: readonly Candidate[];
}

/** Deeper than the figures look, since other weights may rank lower tools higher. */
const DEPTH = 200;

/** Searches for each request and keeps the evidence for each hit. */
export async function judgeRequests(options: {
  library: Pick<ToolLibrary, "search">;
  requests: readonly Pick<LabelledRequest, "query" | "tools">[];
  weights: SearchWeights;
}): Promise<JudgedRequest[]> {
  const { library, requests, weights } = options;
  const phrases = requests.map(({ query }) => query);
  const { results } = await library.search({ phrases, topK: DEPTH, weights, explain: true });
  return requests.map(({ tools }, at) => ({
    relevant: tools,
    candidates: (results[at]?.hits ?? []).flatMap(({ id, evidence }) =>
      evidence ? [{ id, evidence }] : [],
    ),
  }));
}

/** A candidate with its score. */
export interface Scored {
  id: string;
  score: number;
}

/** The candidates of a request ranked by some weights; ties keep their order. */
export function rankCandidates(
  { candidates }: Pick<JudgedRequest, "candidates">,
  weights: Evidence,
): Scored[] {
  return candidates
    .map(({ id, evidence }) => ({ id, score: scoreOf(evidence, weights) }))
    .toSorted((one, other) => other.score - one.score);
}
