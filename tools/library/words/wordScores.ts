import type { LibraryWords } from "./openWords.js";
import type { ReadRequest } from "../search/request.js";
import { type SoughtWord, soughtWords } from "./soughtWords.js";
import {
  COVERED,
  countWords,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  positionOf,
  SEGMENT,
  segmentOf,
} from "./wordEntries.js";
import type { PerField } from "./words.js";

/** What the words of a request say about one tool. */
export interface WordEvidence {
  /** Its BM25 score, in standard deviations above the mean of all tools. */
  words: number;
  /** Shares of its name, description and provider that the request mentions; rare words count for more. */
  name: number;
  description: number;
  provider: number;
}

export interface WordScores {
  /** Positions of the best tools that share words with the request, best first, ties in the order of registration. */
  best: number[];
  evidence: (position: number) => WordEvidence;
}

interface Scoring {
  /** The words that can add most come first. */
  sought: readonly SoughtWord[];
  segments: ReadonlyMap<number, Float32Array>;
}

/**
 * Scores the tools of a library, or of several as one, by the words of a request.
 *
 * @param options.count how many of the best tools are wanted
 */
export function scoreWords(options: {
  words: LibraryWords;
  request: ReadRequest;
  fields: PerField;
  count: number;
}): WordScores {
  const scoring = { sought: soughtWords(options), segments: options.words.segments };
  const { best, mean, deviation } = scoreAll(scoring, options.count);
  return {
    best: best.map(({ position }) => position),
    evidence: (position) => ({
      words: (scoreAt(scoring, position) - mean) / deviation,
      ...coverageOf(scoring, position),
    }),
  };
}

/** Segments in which every tool is scored: all of them, up to some 65,000 tools. */
const MEASURED = 16;

interface Candidate {
  position: number;
  score: number;
}

/**
 * Finds the best tools and the spread of all scores, which is estimated from the segments in which every tool is
 * scored.
 *
 * In the other segments, words that cannot bring a tool near the best ones are only looked up for tools that the other
 * words have brought near: most tools of a large library have nothing but such words (MaxScore; Turtle and Flood,
 * "Query evaluation: strategies and optimizations", 1995).
 */
function scoreAll(scoring: Scoring, count: number) {
  const { sought, segments } = scoring;
  const best: Candidate[] = [];
  const scores = new Float64Array(SEGMENT);
  const { measured, others } = partSegments([...segments.keys()]);
  let [tools, sum, squares] = [0, 0, 0];
  for (const segment of measured) {
    tools += countWords(segments.get(segment) ?? new Float32Array()).tools;
    eachScore({ words: sought, segment, scores }, (at, score) => {
      sum += score;
      squares += score * score;
      keepBest({ best, count, position: positionOf(segment, at), score });
    });
  }
  for (const segment of others) {
    const { lifting, rest } = liftingWords(sought, best[count - 1]?.score ?? 0);
    eachScore({ words: lifting, segment, scores }, (at, score) => {
      if (score + rest < (best[count - 1]?.score ?? 0)) return;
      const position = positionOf(segment, at);
      const whole = lifting.length < sought.length ? scoreAt(scoring, position) : score;
      keepBest({ best, count, position, score: whole });
    });
  }
  const mean = sum / Math.max(tools, 1);
  const variance = squares / Math.max(tools, 1) - mean * mean;
  return { best, mean, deviation: Math.sqrt(Math.max(variance, 0)) || 1 };
}

/** Spreads the measured segments evenly over all. */
function partSegments(all: readonly number[]): { measured: number[]; others: number[] } {
  const step = Math.max(all.length / MEASURED, 1);
  const chosen = new Set(
    Array.from({ length: Math.min(all.length, MEASURED) }, (_, at) => Math.floor(at * step)),
  );
  return {
    measured: all.filter((_, at) => chosen.has(at)),
    others: all.filter((_, at) => !chosen.has(at)),
  };
}

/**
 * Calls `take` with the score of each tool of a segment that has one of the words.
 *
 * @param options.scores working memory for one segment, all zeros before and after
 */
function eachScore(
  options: { words: readonly SoughtWord[]; segment: number; scores: Float64Array },
  take: (at: number, score: number) => void,
): void {
  const { words, segment, scores } = options;
  for (const { weight, lists } of words) {
    for (const { entries, shares } of lists.get(segment) ?? []) {
      for (let at = 0; at < entries.length; at += 1) {
        (scores[placeIn(entries[at] as number)] as number) += weight * (shares[at] as number);
      }
    }
  }
  const takeAt = (place: number) => {
    const score = scores[place] as number;
    if (score === 0) return;
    scores[place] = 0;
    take(place, score);
  };
  const touched = words.flatMap(({ lists }) => lists.get(segment) ?? []);
  if (touched.reduce((sum, { entries }) => sum + entries.length, 0) > SEGMENT) {
    for (let place = 0; place < SEGMENT; place += 1) takeAt(place);
    return;
  }
  for (const { entries } of touched) {
    for (let at = 0; at < entries.length; at += 1) takeAt(placeIn(entries[at] as number));
  }
}

/**
 * How much the words that are looked up last may add together, as a share of the score needed. The more, the more
 * tools they have to be looked up for.
 */
const LOOKED_UP_LAST = 0.2;

/** Sums in another order differ by less than this share; without it, one of two equally good tools could be lost. */
const ROUNDING = 1e-9;

/** The words that all tools are scored by, and the most that the others can add together. */
function liftingWords(sought: readonly SoughtWord[], least: number) {
  let rest = 0;
  let lifting = sought.length;
  while (lifting > 0 && rest + (sought[lifting - 1]?.most ?? 0) < least * LOOKED_UP_LAST) {
    lifting -= 1;
    rest += sought[lifting]?.most ?? 0;
  }
  return { lifting: sought.slice(0, lifting), rest: rest + least * ROUNDING };
}

/** Inserts in order, which is cheap because few tools get into the list. */
function keepBest(options: { best: Candidate[]; count: number } & Candidate): void {
  const { best, count, position, score } = options;
  let place = best.length;
  while (place > 0) {
    const before = best[place - 1] as Candidate;
    if (before.score > score || (before.score === score && before.position < position)) break;
    place -= 1;
  }
  if (place >= count) return;
  best.splice(place, 0, { position, score });
  if (best.length > count) best.pop();
}

/** The same sum as in `eachScore`, in the same order. */
function scoreAt({ sought }: Scoring, position: number): number {
  const { segment, at } = segmentOf(position);
  let score = 0;
  for (const { weight, lists } of sought) {
    for (const { entries, shares } of lists.get(segment) ?? []) {
      const found = findPlace(entries, at);
      if (found >= 0) score += weight * (shares[found] as number);
    }
  }
  return score;
}

/** Difference between sums of the same numbers in another order and with fewer digits. */
const IMPRECISION = 1e-6;

function coverageOf(
  { sought, segments }: Scoring,
  position: number,
): Record<keyof typeof COVERED, number> {
  const { segment, at } = segmentOf(position);
  const mentioned = { name: 0, description: 0, provider: 0 };
  for (const { isOwn, rarity, lists } of sought) {
    for (const { entries } of (isOwn && lists.get(segment)) || []) {
      const found = findPlace(entries, at);
      const entry = found >= 0 ? (entries[found] as number) : 0;
      if (entry & COVERED.name) mentioned.name += rarity;
      if (entry & COVERED.description) mentioned.description += rarity;
      if (entry & COVERED.provider) mentioned.provider += rarity;
    }
  }
  const share = (field: keyof typeof COVERED) => {
    const whole = segments.get(segment)?.[at * NUMBERS_EACH + NUMBERS[field]] ?? 0;
    const part = whole > 0 ? mentioned[field] / whole : 0;
    return part > 1 - IMPRECISION ? 1 : part;
  };
  return {
    name: share("name"),
    description: share("description"),
    provider: share("provider"),
  };
}

/** Index of the entry of the tool at a place, by binary search; -1 if there is none. */
function findPlace(entries: Uint32Array, place: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeIn(entries[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low < entries.length && placeIn(entries[low] as number) === place ? low : -1;
}
