import type { ReadRequest } from "../search/request.js";
import type { LibraryWords } from "./openWords.js";
import {
  COVERED,
  entryWeight,
  havingOf,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  positionOf,
  type Posting,
  rarityOf,
  SEGMENT,
  segmentOf,
} from "./wordEntries.js";
import { DEPRECATED, isContrary } from "./relatedWords.js";

/**
 * The usual parameters of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009, section 3.5).
 */
const K = 1.2;
const B = 0.75;

interface WordScores {
  /** Positions of the best tools that share words with the request, best first, ties in the order of registration. */
  best: number[];
  /** What the words of the request say about the tool at a position. */
  evidence: (position: number) => {
    /** Its BM25 score, in standard deviations above the mean of all tools. */
    words: number;
    /**
     * Shares of its name and its description that the request mentions; rare words count for more, and in a name
     * related words for half.
     */
    name: number;
    description: number;
    /** 1 if it does only other things than the request asks for. */
    contrary: number;
    /** 1 if it is deprecated. */
    deprecated: number;
  };
}

/**
 * Scores the tools of a library, or of several as one, by the words of a request.
 *
 * @param options.count how many of the best tools are wanted
 */
export function scoreWords(options: {
  words: LibraryWords;
  request: ReadRequest;
  count: number;
}): WordScores {
  const { words, request, count } = options;
  const sought = soughtWords(words, request);
  const scores = new Map<number, Float64Array>();
  const best: Candidate[] = [];
  let [sum, squares] = [0, 0];
  for (const segment of words.segments.keys()) {
    const ofSegment = scoresIn(segment, sought);
    scores.set(segment, ofSegment);
    for (let at = 0; at < SEGMENT; at += 1) {
      const score = ofSegment[at] as number;
      if (score === 0) continue;
      sum += score;
      squares += score * score;
      keepBest(best, count, { position: positionOf(segment, at), score });
    }
  }
  const tools = Math.max(words.tools, 1);
  const mean = sum / tools;
  const deviation = Math.sqrt(Math.max(squares / tools - mean * mean, 0)) || 1;
  return {
    best: best.map(({ position }) => position),
    evidence: (position) => {
      const { segment, at } = segmentOf(position);
      const score = scores.get(segment)?.[at] ?? 0;
      const traits = words.segments.get(segment)?.[at * NUMBERS_EACH + NUMBERS.traits] ?? 0;
      return {
        words: (score - mean) / deviation,
        ...coverageOf(sought, words.segments, position),
        contrary: Number(isContrary(traits, request.deeds)),
        deprecated: Number(traits >= DEPRECATED),
      };
    },
  };
}

/** A word of a request, with the tools that have it. */
interface SoughtWord {
  weight: number;
  rarity: number;
  /** The request itself says it, rather than a related word. */
  isOwn: boolean;
  /** By segment; one list for each library that is searched. */
  lists: SegmentLists;
}

type SegmentLists = ReadonlyMap<number, readonly SharedPosting[]>;

/** The tools of a segment that have a word. */
interface SharedPosting {
  entries: Uint32Array;
  /** What each entry adds, as a share of the word's weight; below 1. */
  shares: Float32Array;
}

/** The words of a request that tools have. */
function soughtWords(
  { tools, meanLength, segments, postings: postingsOf }: LibraryWords,
  { terms, own }: ReadRequest,
): SoughtWord[] {
  return Array.from(postingsOf([...terms.keys()]), ([word, postings]) => {
    const rarity = rarityOf({ tools, having: havingOf(postings) });
    const weight = (terms.get(word) ?? 0) * rarity * (K + 1);
    const lists = listsOf({ postings, segments, meanLength });
    return { weight, rarity, isOwn: own.has(word), lists };
  });
}

/** The lists of a word, with the mean length that they were computed for. */
interface WordLists {
  meanLength: number;
  lists: SegmentLists;
}

/** Worth keeping, because the words that many requests share have the longest lists. */
const WORD_LISTS = new WeakMap<readonly Posting[], WordLists>();

function listsOf(options: {
  postings: readonly Posting[];
  segments: ReadonlyMap<number, Float32Array>;
  meanLength: number;
}): SegmentLists {
  const { postings, segments, meanLength } = options;
  const known = WORD_LISTS.get(postings);
  if (known?.meanLength === meanLength) return known.lists;
  const lists = new Map<number, SharedPosting[]>();
  for (const { segment, entries } of postings) {
    const numbers = segments.get(segment);
    if (!numbers) continue;
    const shares = Float32Array.from(entries, (entry) => {
      const count = entryWeight(entry);
      const length = (numbers[placeIn(entry) * NUMBERS_EACH + NUMBERS.wordCount] as number) - 1;
      return count / (count + K * (1 - B + (B * length) / meanLength));
    });
    lists.set(segment, [...(lists.get(segment) ?? []), { entries, shares }]);
  }
  WORD_LISTS.set(postings, { meanLength, lists });
  return lists;
}

/** The score of each tool of a segment, by its place; 0 for one that has none of the words. */
function scoresIn(segment: number, sought: readonly SoughtWord[]): Float64Array {
  const scores = new Float64Array(SEGMENT);
  for (const { weight, lists } of sought) {
    for (const { entries, shares } of lists.get(segment) ?? []) {
      for (let at = 0; at < entries.length; at += 1) {
        (scores[placeIn(entries[at] as number)] as number) += weight * (shares[at] as number);
      }
    }
  }
  return scores;
}

interface Candidate {
  position: number;
  score: number;
}

/** Inserts in order, which is cheap because few tools get into the list. */
function keepBest(best: Candidate[], count: number, candidate: Candidate): void {
  const { position, score } = candidate;
  let place = best.length;
  while (place > 0) {
    const before = best[place - 1] as Candidate;
    if (before.score > score || (before.score === score && before.position < position)) break;
    place -= 1;
  }
  if (place >= count) return;
  best.splice(place, 0, candidate);
  if (best.length > count) best.pop();
}

/** What a related word counts for in a name: "make a folder" mentions half of `create_directory`. */
const RELATED_IN_NAME = 0.5;

/** Difference between sums of the same numbers in another order and with fewer digits. */
const IMPRECISION = 1e-6;

function coverageOf(
  sought: readonly SoughtWord[],
  segments: ReadonlyMap<number, Float32Array>,
  position: number,
): Record<keyof typeof COVERED, number> {
  const { segment, at } = segmentOf(position);
  const mentioned = { name: 0, description: 0 };
  for (const { isOwn, rarity, lists } of sought) {
    for (const { entries } of lists.get(segment) ?? []) {
      const found = findPlace(entries, at);
      const entry = found >= 0 ? (entries[found] as number) : 0;
      if (entry & COVERED.name) mentioned.name += isOwn ? rarity : rarity * RELATED_IN_NAME;
      if (isOwn && entry & COVERED.description) mentioned.description += rarity;
    }
  }
  const share = (field: keyof typeof COVERED) => {
    const whole = segments.get(segment)?.[at * NUMBERS_EACH + NUMBERS[field]] ?? 0;
    const part = whole > 0 ? mentioned[field] / whole : 0;
    return part > 1 - IMPRECISION ? 1 : part;
  };
  return { name: share("name"), description: share("description") };
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
