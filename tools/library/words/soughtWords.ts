import type { LibraryWords } from "./openWords.js";
import type { ReadRequest } from "../search/request.js";
import {
  entryWeights,
  havingOf,
  higherBits,
  lowerBits,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  type Posting,
  rarityOf,
} from "./wordEntries.js";
import type { PerField } from "./words.js";

/**
 * The usual parameters of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009, section 3.5).
 */
const K = 1.2;
const B = 0.75;

/** A word of a request, with the tools that have it. */
export interface SoughtWord {
  weight: number;
  /** Upper bound of what it adds to the score of any tool. */
  most: number;
  rarity: number;
  /** The request itself says it, rather than a related word. */
  isOwn: boolean;
  /** By segment; one list for each library that is searched. */
  lists: ReadonlyMap<number, readonly SharedPosting[]>;
}

/** The tools of a segment that have a word. */
interface SharedPosting {
  entries: Uint32Array;
  /** What each entry adds, as a share of the word's weight; below 1. */
  shares: Float32Array;
}

/** The words of a request that tools have; those that can add most to a score come first. */
export function soughtWords({
  words: { tools, meanLength, segments, postings: postingsOf },
  request: { terms, own },
  fields,
}: {
  words: LibraryWords;
  request: ReadRequest;
  fields: PerField;
}): SoughtWord[] {
  const sought: SoughtWord[] = [];
  for (const [word, postings] of postingsOf([...terms.keys()])) {
    const rarity = rarityOf({ tools, having: havingOf(postings) });
    const weight = (terms.get(word) ?? 0) * rarity * (K + 1);
    const { lists, greatest } = listsOf({ postings, segments, fields, meanLength });
    sought.push({ weight, most: weight * greatest, rarity, isOwn: own.has(word), lists });
  }
  return sought.toSorted((one, other) => other.most - one.most);
}

/** The lists of a word, with the weights and the mean length that they were computed for. */
interface WordLists {
  fields: PerField;
  meanLength: number;
  lists: ReadonlyMap<number, readonly SharedPosting[]>;
  greatest: number;
}

/** Worth keeping, because the words that many requests share have the longest lists. */
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
    const length = (numbers[placeIn(entry) * NUMBERS_EACH + NUMBERS.wordCount] as number) - 1;
    shares[at] = count / (count + K * (1 - B) + ofLength * length);
  }
  return shares;
}
