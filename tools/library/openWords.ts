import type { IndexSource } from "./openIndex.js";
import { type LibraryPlace, readLibrary } from "./records.js";
import {
  areCurrent,
  countLengths,
  hasAllEntries,
  type Posting,
  readPostings,
  readSegments,
  readVersions,
  rebuildWords,
} from "./wordIndex.js";

/** The words of all tools of a library, as far as a search needs them. */
export interface LibraryWords {
  tools: number;
  /** Mean number of words of a tool. */
  meanLength: number;
  /** `NUMBERS` of each tool. */
  segments: ReadonlyMap<number, Float32Array>;
  /** The tools that have a word, by word; without those that no tool has. */
  postings: (words: readonly string[]) => Map<string, Posting[]>;
}

/** The versions of segments; the same object for all that was read at once. */
type Versions = ReadonlyMap<number, number>;

/** The words of a library at one content of it. */
interface ReadWords {
  content: string;
  versions: Versions;
  words: LibraryWords;
}

/**
 * Gives the words of a library as it is now. What was read stays in memory, and of a library that has changed only
 * the changed segments are read again. Where the words are not those of its tools all are read anew, which costs a
 * second for some 10,000 tools and no call of a model.
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
    const counts = countLengths(numbers);
    tools += counts.tools;
    words += counts.words;
  }
  return { tools, meanLength: Math.max(words / tools, 1) };
}

/** Those whose words may be other ones, and those that are new or gone. */
function changedSegments(before: Versions = new Map(), after: Versions): number[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((segment) => before.get(segment) !== after.get(segment));
}

/**
 * Entries that are kept in memory, of 4 bytes each and as many for what they add: so many, or what the words of a
 * large library take.
 */
const MOST_ENTRIES = 8_000_000;
const ENTRIES_EACH = 40;

type KeptPostings = (wanted: {
  words: readonly string[];
  versions: Versions;
  /** How many the library has. */
  tools: number;
}) => Map<string, Posting[]>;

/** Keeps what was read of words, those used last when there are too many. */
function keptPostings(place: () => LibraryPlace): KeptPostings {
  const kept = new Map<string, { versions: Versions; postings: Posting[] }>();
  let entries = 0;
  const drop = (word: string) => {
    entries -= sizeOf(kept.get(word)?.postings ?? []);
    kept.delete(word);
  };
  return ({ words, versions, tools }) => {
    const most = Math.max(MOST_ENTRIES, tools * ENTRIES_EACH);
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
        // The same list as before tells that nothing has to be worked out anew.
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

/** A word that no tool has takes its place, too. */
function sizeOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { entries }) => sum + entries.length, 16);
}

/** The words of several libraries as those of one; no two have tools at the same position. */
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
