import type { PerField } from "../words/words.js";

/** What a search measures of a tool, each weighted by the number of the same name in {@link SearchWeights}. */
const EVIDENCE = [
  "near",
  "words",
  "name",
  "description",
  "provider",
] as const satisfies readonly (keyof SearchWeights)[];

export type Evidence = Record<(typeof EVIDENCE)[number], number>;

/**
 * The weights of a search, all on one scale: a tool that scores one more than another is e times as likely to be
 * wanted. Those with the best Recall@5 and Recall@1 on public sets were chosen (docs/retrieval.md).
 */
export interface SearchWeights {
  /** For each standard deviation by which the tool is nearer to the request than the library's tools on average. */
  near: number;
  /** For each standard deviation by which its words score above average (BM25 over weighted fields). */
  words: number;
  /** If the request mentions all of its name; half of it counts half, and related words half. Rare words count for more. */
  name: number;
  /** If the request mentions all of its description. */
  description: number;
  /** If the request mentions all of its provider's and category's names. */
  provider: number;
  /** What a word counts for in each field. */
  fields: PerField;
  /**
   * Distance below which a tool shows that a phrase fits its library. Chosen so that .95 of the fitting requests of the
   * public sets find something, as a mean (docs/retrieval.md).
   */
  nearEnough: number;
  /** Tools with less than this chance of being wanted (0 to 1) are left out if as few as needed are to be shown. */
  floor: number;
}

const FIELDS: PerField = {
  name: 3,
  provider: 1,
  providerDescription: 0.5,
  category: 1,
  description: 1.5,
  parameters: 1,
  parameterTexts: 0.5,
  values: 0.5,
};

const SENTENCE_ENCODER: SearchWeights = {
  near: 0.77,
  words: 0.6,
  name: 2.4,
  description: 1.4,
  provider: 1,
  fields: FIELDS,
  nearEnough: 1.26,
  floor: 0.005,
};

/** For encoders that were not measured: the weights of a good small one, all-MiniLM-L6-v2. */
const OTHERS: SearchWeights = {
  near: 0.77,
  words: 0.35,
  name: 1.8,
  description: 1.4,
  provider: 1,
  fields: FIELDS,
  nearEnough: 1.5,
  floor: 0.005,
};

/** The weights of searches with an embedding model. */
export function weightsOf(model: string): SearchWeights {
  return model === "local:sentence-encoder" ? SENTENCE_ENCODER : OTHERS;
}

/** The score of a tool. */
export function scoreOf(evidence: Evidence, weights: Evidence): number {
  let score = 0;
  for (const kind of EVIDENCE) score += weights[kind] * evidence[kind];
  return score;
}
