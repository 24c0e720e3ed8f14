import type { IndexSource } from "../vectors/openIndex.js";
import { type LibraryPlace, readLibrary } from "../records/records.js";
import { countWords, type Posting } from "./wordEntries.js";
import { rebuildWords } from "./wordIndex.js";
import { areCurrent, hasAllEntries, readPostings, readSegments, readVersions } from "./wordRows.js";

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

/** Versions by segment; the same object for everything that was read together. */
type Versions = ReadonlyMap<number, number>;

interface ReadWords {
  content: string;
  versions: Versions;
  words: LibraryWords;
}

/**
 * Opens the words of a library as it is now. What was read stays in memory; after a change, only the changed segments
 * are read again. Words that do not match the tools are rebuilt first, which takes a second for some 10,000 tools and
 * calls no model.
 */
export function wordsOpener({
  place,
  write,
}: Pick<IndexSource, "place" | "write">): () => Promise<LibraryWords> {
  const postings = keptPostings(place);
  let latest: ReadWords | undefined;
  const read = () => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content === content) return latest.words;
    const words = readWords(here, { content, latest, postings });
    const isCurrent = areCurrent(here, words.words.segments.values());
    if (!isCurrent || !(latest || hasAllEntries(here))) return undefined;
    latest = words;
    return words.words;
  };
  const readAnew = () => {
    const here = place();
    const { content } = readLibrary(here);
    latest = readWords(here, { content, latest: undefined, postings });
    return latest.words;
  };
  return async () => {
    const words = place().database.transaction(read).deferred();
    if (words) return words;
    await write(rebuild);
    return place().database.transaction(readAnew).deferred();
  };
}

/** Must run in a write transaction. */
function rebuild(place: LibraryPlace): void {
  const known = readSegments(place, "all");
  if (!areCurrent(place, known.values()) || !hasAllEntries(place)) rebuildWords(place);
}

function readWords(
  place: LibraryPlace,
  options: { content: string; latest: ReadWords | undefined; postings: KeptPostings },
): ReadWords {
  const { content, latest, postings } = options;
  const versions = readVersions(place);
  const known = latest?.words.segments;
  const changed = changedSegments(latest?.versions, versions);
  const read = readSegments(place, known ? changed : "all");
  const segments = new Map<number, Float32Array>();
  for (const segment of versions.keys()) {
    const numbers = read.get(segment) ?? known?.get(segment);
    if (numbers) segments.set(segment, numbers);
  }
  const words = { ...totalsOf(segments), segments };
  return {
    content,
    versions,
    words: {
      ...words,
      postings: (wanted) => postings({ words: wanted, versions, tools: words.tools }),
    },
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

/** Segments that were changed, added or removed. */
function changedSegments(before: Versions = new Map(), after: Versions): number[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((segment) => before.get(segment) !== after.get(segment));
}

/** Most entries kept in memory, of 8 bytes each (4 of them for the share it adds): the larger of the two numbers. */
const MOST_ENTRIES = 8_000_000;
const ENTRIES_PER_TOOL = 40;

type KeptPostings = (wanted: {
  words: readonly string[];
  versions: Versions;
  tools: number;
}) => Map<string, Posting[]>;

/** Keeps the postings that were read; when there are too many, those used longest ago are dropped. */
function keptPostings(place: () => LibraryPlace): KeptPostings {
  const kept = new Map<string, { versions: Versions; postings: Posting[] }>();
  let entries = 0;
  const drop = (word: string) => {
    entries -= sizeOf(kept.get(word)?.postings ?? []);
    kept.delete(word);
  };
  return ({ words, versions, tools }) => {
    const most = Math.max(MOST_ENTRIES, tools * ENTRIES_PER_TOOL);
    const byVersions = new Map<Versions | undefined, string[]>();
    for (const word of words) {
      const of = kept.get(word)?.versions;
      byVersions.set(of, [...(byVersions.get(of) ?? []), word]);
    }
    const found = new Map<string, Posting[]>();
    for (const [before, some] of byVersions) {
      const segments = before && changedSegments(before, versions);
      const read =
        segments?.length === 0
          ? new Map<string, Posting[]>()
          : readPostings({ ...place(), words: some, segments });
      for (const word of some) {
        const known = kept.get(word)?.postings ?? [];
        const stayed = known.filter(({ segment }) => !segments?.includes(segment));
        const added = read.get(word) ?? [];
        // Returning the same list tells callers that what they computed from it still holds.
        const isSame = stayed.length === known.length && added.length === 0;
        const postings = isSame ? known : [...stayed, ...added];
        drop(word);
        kept.set(word, { versions, postings });
        entries += sizeOf(postings);
        if (postings.length > 0) found.set(word, postings);
      }
    }
    for (const word of kept.keys()) {
      if (entries <= most) break;
      drop(word);
    }
    return found;
  };
}

/** A word that no tool has takes some memory, too. */
function sizeOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { entries }) => sum + entries.length, 16);
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
