import type { LibraryWords } from "./openWords.js";
import type { ReadRequest } from "./request.js";
import {
  COVERED,
  countLengths,
  entryWeights,
  havingOf,
  higherBits,
  lowerBits,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  type Posting,
  positionOf,
  rarityOf,
  SEGMENT,
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
  best: number[];
  evidence: (position: number) => WordEvidence;
}

/** A word of a request, with the tools that have it. */
interface SoughtWord {
  /** What it counts for in the request. */
  weight: number;
  /** More than it can add to the score of any tool. */
  most: number;
  rarity: number;
  isOwn: boolean;
  /** By segment; libraries that lie over others have lists of their own. */
  lists: ReadonlyMap<number, readonly SharedPosting[]>;
}

/** The tools of a segment that have a word. */
interface SharedPosting {
  entries: Uint32Array;
  /** The share of the word's weight that each entry adds, below 1. */
  shares: Float32Array;
}

/** What scoring one segment after another needs; the words that can add most come first. */
interface Scoring {
  sought: readonly SoughtWord[];
  segments: ReadonlyMap<number, Float32Array>;
}

/**
 * Scores the tools of a library, and of those that lie over it, by the words of a request.
 *
 * @param options.count how many of the best are wanted
 */
export function scoreWords({
  words: { tools, meanLength, segments, postings: postingsOf },
  request: { terms, own },
  fields,
  count,
}: {
  words: LibraryWords;
  request: ReadRequest;
  fields: PerField;
  count: number;
}): WordScores {
  const sought: SoughtWord[] = [];
  for (const [word, postings] of postingsOf([...terms.keys()])) {
    const rarity = rarityOf({ tools, having: havingOf(postings) });
    const weight = (terms.get(word) ?? 0) * rarity * (K + 1);
    const { lists, greatest } = listsOf({ postings, segments, fields, meanLength });
    sought.push({ weight, most: weight * greatest, rarity, isOwn: own.has(word), lists });
  }
  sought.sort((one, other) => other.most - one.most);
  const scoring = { sought, segments };
  const { best, mean, deviation } = scoreAll(scoring, count);
  return {
    best: best.map(({ position }) => position),
    evidence: (position) => ({
      words: (scoreAt(scoring, position) - mean) / deviation,
      ...coverageOf(scoring, position),
    }),
  };
}

/** The lists of a word, for the fields' weights and the mean length for which they were worked out last. */
interface WordLists {
  fields: PerField;
  meanLength: number;
  lists: ReadonlyMap<number, readonly SharedPosting[]>;
  greatest: number;
}

/** Requests have many words in common, whose lists are the longest ones. */
const WORD_LISTS = new WeakMap<readonly Posting[], WordLists>();

function listsOf(options: {
  postings: readonly Posting[];
  segments: ReadonlyMap<number, Float32Array>;
  fields: PerField;
  meanLength: number;
}): WordLists {
  const { postings, segments, fields, meanLength } = options;
  const known = WORD_LISTS.get(postings);
  if (known && known.fields === fields && known.meanLength === meanLength) return known;
  const lists = new Map<number, SharedPosting[]>();
  let greatest = 0;
  for (const { segment, entries } of postings) {
    const numbers = segments.get(segment);
    if (!numbers) continue;
    const shares = sharesOf({ entries, numbers, fields, meanLength });
    for (const share of shares) if (share > greatest) greatest = share;
    lists.set(segment, [...(lists.get(segment) ?? []), { entries, shares }]);
  }
  const made = { fields, meanLength, lists, greatest };
  WORD_LISTS.set(postings, made);
  return made;
}

function sharesOf(options: {
  entries: Uint32Array;
  numbers: Float32Array;
  fields: PerField;
  meanLength: number;
}): Float32Array {
  const { entries, numbers, fields, meanLength } = options;
  const ofLength = (K * B) / meanLength;
  const { lower, higher } = entryWeights(fields);
  const shares = new Float32Array(entries.length);
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] as number;
    const count = (lower[lowerBits(entry)] as number) + (higher[higherBits(entry)] as number);
    const length = (numbers[placeIn(entry) * NUMBERS_EACH + NUMBERS.length] as number) - 1;
    shares[at] = count / (count + K * (1 - B) + ofLength * length);
  }
  return shares;
}

/** Segments by which the spread of scores is measured: all, up to some 65,000 tools. */
const MEASURED = 16;

/** A tool that may be among the best. */
interface Candidate {
  position: number;
  score: number;
}

/**
 * The best tools, and the spread of all scores, as some segments show it in which every tool is scored.
 *
 * In the others, words that could not bring a tool near the best ones are looked at only for tools that the other
 * words have brought near them: most tools of a large library have such words alone (MaxScore; Turtle and Flood,
 * "Query evaluation: strategies and optimizations", 1995).
 */
function scoreAll(scoring: Scoring, count: number) {
  const { sought, segments } = scoring;
  const best: Candidate[] = [];
  const scores = new Float64Array(SEGMENT);
  const { measured, others } = partSegments([...segments.keys()]);
  let [tools, sum, squares] = [0, 0, 0];
  for (const segment of measured) {
    tools += countLengths(segments.get(segment) ?? new Float32Array()).tools;
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

/** Those that are measured lie evenly among all. */
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
 * Calls back for each tool of a segment that has one of the words, with the sum of what they add.
 *
 * @param options.scores of no tool yet, as it is left behind
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

/** How much the words that are looked at last may add, as a share of what is needed: more leave more tools open. */
const LOOKED_AT_LAST = 0.2;

/** Sums in another order differ by less than this share: of equally good tools none is left out for it. */
const ROUNDING = 1e-9;

/** The words that are looked at in all tools, and what the others add together at most. */
function liftingWords(sought: readonly SoughtWord[], least: number) {
  let rest = 0;
  let lifting = sought.length;
  while (lifting > 0 && rest + (sought[lifting - 1]?.most ?? 0) < least * LOOKED_AT_LAST) {
    lifting -= 1;
    rest += sought[lifting]?.most ?? 0;
  }
  return { lifting: sought.slice(0, lifting), rest: rest + least * ROUNDING };
}

/** The list stays in order: few of all tools come into it. */
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

/** The same sum as that of `eachScore`, in the same order. */
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

/** By how much sums of the same numbers differ that were made in another order, and with fewer digits. */
const IMPRECISION = 1e-6;

function coverageOf(
  { sought, segments }: Scoring,
  position: number,
): Record<keyof typeof COVERED, number> {
  const { segment, at } = segmentOf(position);
  const said = { name: 0, description: 0, provider: 0 };
  for (const { isOwn, rarity, lists } of sought) {
    for (const { entries } of (isOwn && lists.get(segment)) || []) {
      const found = findPlace(entries, at);
      const entry = found >= 0 ? (entries[found] as number) : 0;
      if (entry & COVERED.name) said.name += rarity;
      if (entry & COVERED.description) said.description += rarity;
      if (entry & COVERED.provider) said.provider += rarity;
    }
  }
  const share = (field: keyof typeof COVERED) => {
    const whole = segments.get(segment)?.[at * NUMBERS_EACH + NUMBERS[field]] ?? 0;
    const part = whole > 0 ? said[field] / whole : 0;
    return part > 1 - IMPRECISION ? 1 : part;
  };
  return {
    name: share("name"),
    description: share("description"),
    provider: share("provider"),
  };
}

/** Which entry is that of the tool at a place; -1 where none is. */
function findPlace(entries: Uint32Array, place: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeIn(entries[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low < entries.length && placeIn(entries[low] as number) === place ? low : -1;
}
