import type { IndexSource } from "../vectors/vectors.js";
import { type LibraryPlace, readLibrary } from "../records/records.js";
import { countWords, havingOf, type Posting } from "./wordEntries.js";
import { rebuildWords } from "./wordIndex.js";
import { followsWords, readPostings, readSegments } from "./wordRows.js";

/** What a search needs to know of the words of a library's tools. */
export interface LibraryWords {
  tools: number;
  /** Mean number of words of a tool. */
  meanLength: number;
  /** The `NUMBERS` of each tool, by segment. */
  segments: ReadonlyMap<number, Float32Array>;
  /** The tools that have each word; words that no tool has are left out. */
  postings: (words: readonly string[]) => Map<string, Posting[]>;
}

/**
 * Opens the words of a library as it is now. What was read stays in memory until the library changes. Words that do not
 * follow the tools, as in a file that an older version has written, are rebuilt first, which takes a second for some
 * 10,000 tools and calls no model.
 */
export function wordsOpener({
  place,
  write,
}: Pick<IndexSource, "place" | "write">): () => Promise<LibraryWords> {
  let latest: { content: string; words: LibraryWords } | undefined;
  const read = (): LibraryWords => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content === content) return latest.words;
    const segments = readSegments(here, "all");
    const words = { ...totalsOf(segments), segments, postings: keptPostings(place) };
    latest = { content, words };
    return words;
  };
  return async () => {
    if (!followsWords(place())) {
      await write((now) => {
        if (!followsWords(now)) rebuildWords(now);
      });
    }
    return place().database.transaction(read).deferred();
  };
}

function totalsOf(segments: ReadonlyMap<number, Float32Array>) {
  let [tools, words] = [0, 0];
  for (const numbers of segments.values()) {
    const counts = countWords(numbers);
    tools += counts.tools;
    words += counts.words;
  }
  return { tools, meanLength: Math.max(words / tools, 1) };
}

/** Most entries kept in memory, of 8 bytes each (4 of them for the share it adds). */
const MOST_ENTRIES = 8_000_000;

/** Keeps the postings that were read; when there are too many, all are dropped. */
function keptPostings(place: () => LibraryPlace): LibraryWords["postings"] {
  const kept = new Map<string, Posting[]>();
  let entries = 0;
  return (words) => {
    if (entries > MOST_ENTRIES) {
      kept.clear();
      entries = 0;
    }
    const missing = words.filter((word) => !kept.has(word));
    const read = readPostings({ ...place(), words: missing });
    for (const word of missing) {
      const postings = read.get(word) ?? [];
      kept.set(word, postings);
      // A word that no tool has takes some memory, too.
      entries += havingOf(postings) + 16;
    }
    return new Map(
      words.flatMap((word): [string, Posting[]][] => {
        const postings = kept.get(word) ?? [];
        return postings.length > 0 ? [[word, postings]] : [];
      }),
    );
  };
}

/** Joins the words of several libraries, no two of which have tools at the same position. */
export function joinWords(all: readonly LibraryWords[]): LibraryWords {
  const [only] = all;
  if (only && all.length === 1) return only;
  const segments = new Map<number, Float32Array>();
  for (const [segment, numbers] of all.flatMap((words) => [...words.segments])) {
    const others = segments.get(segment);
    segments.set(segment, others ? others.map((value, at) => value + (numbers[at] ?? 0)) : numbers);
  }
  const tools = all.reduce((sum, words) => sum + words.tools, 0);
  const words = all.reduce((sum, { tools: count, meanLength }) => sum + count * meanLength, 0);
  return {
    tools,
    meanLength: Math.max(words / tools, 1),
    segments,
    postings: (wanted) => joinPostings(all.map(({ postings }) => postings(wanted))),
  };
}

function joinPostings(all: readonly Map<string, Posting[]>[]): Map<string, Posting[]> {
  const joined = new Map<string, Posting[]>();
  for (const [word, postings] of all.flatMap((each) => [...each])) {
    joined.set(word, [...(joined.get(word) ?? []), ...postings]);
  }
  return joined;
}
