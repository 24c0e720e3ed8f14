import { LOCAL_EMBEDDINGS } from "../../../state/settings.js";
import type { Ranking } from "./request.js";

/**
 * The weights of what a search measures of a tool, all on one scale: a tool that scores one more than another is e
 * times as likely to be wanted. Chosen on public sets, for two encoders alike (docs/retrieval.md).
 */
export const WEIGHTS = {
  /** For each standard deviation by which the tool is nearer to the request than the library's tools on average. */
  near: 0.77,
  /** For each standard deviation by which its words score above average (BM25 over weighted fields). */
  words: 0.6,
  /** If the request mentions all of its name; half of it counts half, and related words half. Rare words count for more. */
  name: 2.4,
  /** If the request mentions all of its description. */
  description: 1.4,
  /** If it does only other things than the request asks for. */
  contrary: -1,
  /** If it is deprecated. */
  deprecated: -4,
  /** If it works on this machine's files and the request has a path. The sets have next to no paths: as much as a name's half. */
  local: 1.2,
};

/** What is measured of the words of a tool if they do not count. */
export const NO_WORDS = { words: 0, name: 0, description: 0, contrary: 0, deprecated: 0, local: 0 };

/** The weights of each ranking. By meaning, words count for nothing, as in the published methods. */
export const WEIGHTS_BY: Record<Ranking, Evidence> = {
  both: WEIGHTS,
  words: { ...WEIGHTS, near: 0 },
  meaning: { ...NO_WORDS, near: 1 },
};

/** What a search measures of a tool, each weighted by the number of the same name in {@link WEIGHTS}. */
export type Evidence = Record<keyof typeof WEIGHTS, number>;

export function scoreOf(evidence: Evidence, weights: Evidence): number {
  let score = 0;
  for (const kind of Object.keys(WEIGHTS) as (keyof Evidence)[])
    score += weights[kind] * evidence[kind];
  return score;
}

/**
 * Distance below which a tool shows that a phrase fits its library. Chosen so that .95 of the fitting requests of the
 * public sets find something, as a mean (docs/retrieval.md). Encoders that were not measured have that of a good small
 * one, all-MiniLM-L6-v2.
 */
export function nearEnough(model: string): number {
  return model === LOCAL_EMBEDDINGS ? 1.26 : 1.5;
}
