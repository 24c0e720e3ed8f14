import { setImmediate } from "node:timers/promises";
import { keeping } from "../../../common/bounds.js";
import { LibraryFailed } from "../../../common/errors.js";
import type { ToolRecord } from "../../tool.js";
import {
  changedSince,
  entryMark,
  lastEntry,
  listToolIds,
  readLibrary,
} from "../records/records.js";
import { askStore, dropTools, putTools } from "./documents.js";
import type { EmbeddedTool, SearchIndex } from "./nearest.js";
import { embedTools, type IndexedLibrary, type IndexSource, readTools } from "./vectors.js";
import { type FollowingStore, openStore } from "./vectorStore.js";

/** An index, and what embedding its tools has cost. */
export interface OpenIndex {
  index: SearchIndex;
  embeddingTokens: number;
}

interface CurrentIndex {
  /** Name of the library's content, see the schema. */
  content: string;
  dimension: number;
  following: FollowingStore;
  index: SearchIndex;
}

/**
 * Opens the index of a library as it is now: its vector store, brought up to date from the database. Callers take turns,
 * so that texts without a vector are embedded (and paid for) once.
 */
export function indexOpener(source: IndexSource): (dimension: number) => Promise<OpenIndex> {
  let latest: CurrentIndex | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  async function refresh(dimension: number): Promise<OpenIndex> {
    const { content } = readLibrary(source.place());
    if (latest?.dimension !== dimension) latest = undefined;
    if (latest?.content === content) return { index: latest.index, embeddingTokens: 0 };
    const library = { ...source, dimension };
    const following = latest?.following ?? (await openStore(library));
    const embeddingTokens = await bringUpToDate(library, following);
    const nearest: SearchIndex["nearest"] = (vector, k) =>
      askStore(following.store, library, vector, k);
    const index = { ...vectorReader(library), nearest };
    latest = { content, dimension, following, index };
    return { index, embeddingTokens };
  }
  return (dimension) => {
    const opening = turn.then(() => refresh(dimension));
    // A failure is reported to its caller only; the next one tries again.
    turn = opening.catch(() => undefined);
    return opening;
  };
}

/** Tools that a store is given at once; between parts, other work gets its turn. */
const PART = 512;

/** How often others may change tools while they are embedded, which may cost money. */
const MOST_ROUNDS = 10;

/** Gives a store what has changed since it was last up to date; returns the tokens that embedding took. */
async function bringUpToDate(library: IndexedLibrary, following: FollowingStore): Promise<number> {
  const { store, isEmpty } = following;
  const place = library.place();
  // Read before the tools, so that what changes meanwhile is put again by the next search.
  const entry = lastEntry(place);
  const state = { entry, mark: entryMark({ ...place, entry }) };
  const changed =
    following.entry === undefined
      ? listToolIds(place)
      : changedSince({ ...place, entry: following.entry });
  let tokens = 0;
  let rounds = 0;
  for (let left = changed; left.length > 0;) {
    const lacking: ToolRecord[] = [];
    for (let from = 0; from < left.length; from += PART) {
      const part = left.slice(from, from + PART);
      const { tools, missing } = readTools(library, part);
      if (!isEmpty) await dropTools(store, library, part);
      await putTools(store, library, tools);
      lacking.push(...missing);
      await setImmediate();
    }
    if (lacking.length > 0 && (rounds += 1) > MOST_ROUNDS) {
      const problem = `after embedding its tools ${MOST_ROUNDS} times, ${lacking.length} of them have no vector`;
      throw new LibraryFailed({ library: library.name, problem, hint: "Try again later" });
    }
    tokens += (await embedTools({ ...library, tools: lacking })).embeddingTokens;
    left = lacking.map(({ id }) => id);
  }
  if (changed.length > 0) await following.save(state, changed.length);
  following.entry = entry;
  following.isEmpty = false;
  return tokens;
}

/** An index of few tools, all of which are near: they are compared one by one. */
export async function openFew(library: IndexedLibrary): Promise<OpenIndex> {
  const ids = listToolIds(library.place());
  const { missing } = readTools(library, ids);
  const { embeddingTokens } = await embedTools({ ...library, tools: missing });
  const nearest = async () => ({ ids, isAll: true });
  return { index: { ...vectorReader(library), nearest }, embeddingTokens };
}

/** Most vectors kept in memory; a search asks for those of its hits more than once. */
const KEPT = 2000;

/** Most tools in a sample. */
const SAMPLE = 256;

/** Reads the vectors of a library, each from the database once. */
function vectorReader(library: IndexedLibrary): Pick<SearchIndex, "read" | "sample"> {
  const read = keeping<string, EmbeddedTool>({
    most: KEPT,
    keyOf: ({ id }) => id,
    read: (ids) => readTools(library, ids).tools,
  });
  let sample: readonly Float32Array[] | undefined;
  const readSample = () => read(spread(listToolIds(library.place()))).map(({ vector }) => vector);
  return { read, sample: () => (sample ??= readSample()) };
}

/** At most so many items of a list, spread evenly over all of it. */
export function spread<Item>(items: readonly Item[], most = SAMPLE): Item[] {
  const count = Math.min(items.length, most);
  return Array.from(
    { length: count },
    (_, at) => items[Math.floor((at * items.length) / count)] as Item,
  );
}
