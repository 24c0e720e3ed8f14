import type { LibraryWords } from "./openWords.js";
import type { ReadRequest } from "./request.js";
import {
  COVERED,
  entryWeights,
  havingOf,
  higherBits,
  lowerBits,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  positionOf,
  rarityOf,
  segmentOf,
} from "./wordIndex.js";
import type { PerField } from "./words.js";

/**
 * The usual parameters of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009, section 3.5).
 */
const K = 1.2;
const B = 0.75;

/** What the words of a request say about one tool. */
export interface WordEvidence {
  /** Standard deviations by which its BM25 lies above the mean of all tools. */
  words: number;
  /** Shares of its name, its description and its provider's that the request says; rare words count for more. */
  name: number;
  description: number;
  provider: number;
}

/** The words of a request, compared with those of all tools of a library. */
export interface WordScores {
  /** Positions of the tools that share words with it, the best first, ties in the order of registration. */
  best: (count: number, isAllowed?: (position: number) => boolean) => number[];
  evidence: (position: number) => WordEvidence;
}

/** Sums over the words of a request, for each tool of a segment. */
type Sums = Record<"score" | keyof typeof COVERED, Float32Array>;

/** Scores the tools of a library, and of those that lie over it, by the words of a request. */
export function scoreWords({
  words: { tools, meanLength, segments, postings: postingsOf },
  request: { terms, own },
  fields,
}: {
  words: LibraryWords;
  request: ReadRequest;
  fields: PerField;
}): WordScores {
  const sums = new Map<number, Sums>();
  const ofLength = (K * B) / meanLength;
  const { lower, higher } = entryWeights(fields);
  for (const [word, postings] of postingsOf([...terms.keys()])) {
    const rarity = rarityOf({ tools, having: havingOf(postings) });
    const most = (terms.get(word) ?? 0) * rarity * (K + 1);
    const isOwn = own.has(word);
    for (const { segment, entries } of postings) {
      const numbers = segments.get(segment);
      if (!numbers) continue;
      const sum = sums.get(segment) ?? noSums(numbers.length / NUMBERS_EACH);
      sums.set(segment, sum);
      for (const entry of entries) {
        const at = placeIn(entry);
        const count = (lower[lowerBits(entry)] as number) + (higher[higherBits(entry)] as number);
        const length = (numbers[at * NUMBERS_EACH + NUMBERS.length] as number) - 1;
        const share = count / (count + K * (1 - B) + ofLength * length);
        (sum.score[at] as number) += most * share;
        if (isOwn) cover({ sum, at, entry, rarity });
      }
    }
  }
  const { mean, deviation } = spreadOf({ sums, tools });
  return {
    best: (count, isAllowed) => bestOf({ sums, count, isAllowed }),
    evidence: (position) => {
      const { segment, at } = segmentOf(position);
      const sum = sums.get(segment);
      const share = (field: keyof typeof COVERED) => {
        const whole = segments.get(segment)?.[at * NUMBERS_EACH + NUMBERS[field]] ?? 0;
        return whole > 0 ? Math.min((sum?.[field][at] ?? 0) / whole, 1) : 0;
      };
      return {
        words: ((sum?.score[at] ?? 0) - mean) / deviation,
        name: share("name"),
        description: share("description"),
        provider: share("provider"),
      };
    },
  };
}

function noSums(size: number): Sums {
  return {
    score: new Float32Array(size),
    name: new Float32Array(size),
    description: new Float32Array(size),
    provider: new Float32Array(size),
  };
}

function cover(options: { sum: Sums; at: number; entry: number; rarity: number }): void {
  const { sum, at, entry, rarity } = options;
  if (entry & COVERED.name) (sum.name[at] as number) += rarity;
  if (entry & COVERED.description) (sum.description[at] as number) += rarity;
  if (entry & COVERED.provider) (sum.provider[at] as number) += rarity;
}

/** Over all tools; those that share no word have a score of 0. */
function spreadOf({ sums, tools }: { sums: ReadonlyMap<number, Sums>; tools: number }) {
  let sum = 0;
  let squares = 0;
  for (const { score } of sums.values()) {
    for (const value of score) {
      sum += value;
      squares += value * value;
    }
  }
  const mean = sum / tools;
  return { mean, deviation: Math.sqrt(Math.max(squares / tools - mean * mean, 0)) || 1 };
}

/** A list of the best so far is kept in order: few of all tools come into it. */
function bestOf(options: {
  sums: ReadonlyMap<number, Sums>;
  count: number;
  isAllowed: ((position: number) => boolean) | undefined;
}): number[] {
  const { sums, count, isAllowed } = options;
  const best: { position: number; score: number }[] = [];
  const segments = [...sums].toSorted(([one], [other]) => one - other);
  for (const [segment, { score: scores }] of segments) {
    for (let at = 0; at < scores.length; at += 1) {
      const score = scores[at] as number;
      if (score <= 0 || score <= (best[count - 1]?.score ?? 0)) continue;
      const position = positionOf(segment, at);
      if (isAllowed && !isAllowed(position)) continue;
      let place = best.length;
      while (place > 0 && (best[place - 1]?.score ?? 0) < score) place -= 1;
      best.splice(place, 0, { position, score });
      if (best.length > count) best.pop();
    }
  }
  return best.map(({ position }) => position);
}
