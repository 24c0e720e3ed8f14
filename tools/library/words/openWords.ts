import { keeping } from "../../../common/bounds.js";
import { spread } from "../vectors/openIndex.js";
import type { IndexSource } from "../vectors/vectors.js";
import { countTools, type LibraryPlace, listPositions, ofContent } from "../records/records.js";
import { FIELDS, hasWords, prefixOf, rebuildWords } from "./wordTable.js";
import { WORD_FIELDS } from "./words.js";

/** What a search needs to know of the words of a library's tools. */
export interface LibraryWords {
  tools: number;
  /** The words of some tools spread evenly over all. */
  sample: readonly ToolWords[];
  /** The words of the tools at some positions. */
  read: (positions: readonly number[]) => ToolWords[];
  /** How many tools have each word; words that no tool has are left out. */
  countHaving: (words: readonly string[]) => Map<string, number>;
  /** The positions of the tools that score best by BM25, for words with their weights. */
  best: (weighted: ReadonlyMap<string, number>, count: number) => number[];
}

export interface ToolWords {
  position: number;
  name: ReadonlySet<string>;
  description: ReadonlySet<string>;
  /** What each word counts for: how often it stands in each field, times the field's weight. */
  counts: ReadonlyMap<string, number>;
  /** Number of its words. */
  length: number;
  /** What it does, and whether it is deprecated; see `traitsOf`. */
  traits: number;
}

/**
 * Opens the words of a library as it is now. What was read stays in memory until the library changes. Words that an
 * older version has written are rebuilt first, which takes a second for some 10,000 tools and calls no model.
 */
export function wordsOpener({
  place,
  write,
}: Pick<IndexSource, "place" | "write">): () => Promise<LibraryWords> {
  const words = ofContent(place, () => libraryWords(place));
  return async () => {
    if (!hasWords(place())) await write(rebuildWords);
    return words();
  };
}

/** Most tools, and numbers of words, that are kept in memory. */
const KEPT = 2000;
const COUNTS_KEPT = 100_000;

function libraryWords(place: () => LibraryPlace): LibraryWords {
  const read = keeping<number, ToolWords>({
    most: KEPT,
    keyOf: ({ position }) => position,
    read: (positions) => readWords(place(), positions),
  });
  const counts = keeping<string, { word: string; having: number }>({
    most: COUNTS_KEPT,
    keyOf: ({ word }) => word,
    read: (words) => {
      const found = readCounts(place(), words);
      return words.map((word) => ({ word, having: found.get(word) ?? 0 }));
    },
  });
  const countHaving: LibraryWords["countHaving"] = (words) => {
    const known = counts(words).filter(({ having }) => having > 0);
    return new Map(known.map(({ word, having }) => [word, having]));
  };
  return {
    tools: countTools(place()),
    sample: read(spread(listPositions(place()))),
    read,
    countHaving,
    best: (weighted, count) => readBest(place(), { weighted, count, countHaving }),
  };
}

function readWords({ database, library }: LibraryPlace, positions: readonly number[]): ToolWords[] {
  const skipped = prefixOf(library).length;
  const rows = database
    .prepare("SELECT rowid, * FROM tool_words WHERE rowid IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(positions)) as ({ rowid: number; traits: number } & Record<
    (typeof FIELDS)[number],
    string
  >)[];
  return rows.map(({ rowid, traits, ...texts }) => {
    const counts = new Map<string, number>();
    let length = 0;
    const [name, , description] = FIELDS.map((field) => {
      const ofField = new Map<string, number>();
      for (const text of texts[field] === "" ? [] : texts[field].split(" ")) {
        const word = text.slice(skipped);
        length += 1;
        ofField.set(word, (ofField.get(word) ?? 0) + 1);
      }
      const { most, weight } = WORD_FIELDS[field];
      for (const [word, count] of ofField)
        counts.set(word, (counts.get(word) ?? 0) + weight * Math.min(count, most));
      return new Set(ofField.keys());
    });
    return {
      position: rowid,
      name: name ?? new Set(),
      description: description ?? new Set(),
      counts,
      length,
      traits,
    };
  });
}

function readCounts(
  { database, library }: LibraryPlace,
  words: readonly string[],
): Map<string, number> {
  const prefix = prefixOf(library);
  const terms = words.map((word) => prefix + word);
  const rows = database
    .prepare(
      "SELECT term, doc FROM tool_word_counts WHERE term IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(terms)) as { term: string; doc: number }[];
  return new Map(rows.map(({ term, doc }) => [term.slice(prefix.length), doc]));
}

/** Words are asked for until this many tools have them, the rarest first: beyond that, frequent words decide little. */
const MOST_HAVING = 2000;

const BM25 = `bm25(tool_words, ${FIELDS.map((field) => WORD_FIELDS[field].weight).join(", ")})`;

function readBest(
  { database, library }: LibraryPlace,
  options: { weighted: ReadonlyMap<string, number>; count: number } & Pick<
    LibraryWords,
    "countHaving"
  >,
): number[] {
  const { weighted, count, countHaving } = options;
  const rarest = Array.from(countHaving([...weighted.keys()]), ([word, having]) => ({
    word,
    having,
    weight: weighted.get(word) ?? 0,
  })).toSorted((one, other) => one.having / one.weight - other.having / other.weight);
  const asked: string[] = [];
  let left = MOST_HAVING;
  for (const { word, having } of rarest) {
    if (asked.length > 0 && having > left) break;
    left -= having;
    asked.push(`"${prefixOf(library)}${word}"`);
  }
  if (asked.length === 0) return [];
  return database
    .prepare(
      `SELECT rowid FROM tool_words WHERE tool_words MATCH ? ORDER BY ${BM25}, rowid LIMIT ?`,
    )
    .pluck()
    .all(asked.join(" OR "), count) as number[];
}
