import { LibraryFailed } from "../../../common/errors.js";
import type { ToolRecord } from "../../tool.js";
import type { EmbeddingModel } from "./embedding.js";
import {
  type IndexKey,
  type IndexState,
  loadIndex,
  savedIndexes,
  saveIndex,
} from "./indexCache.js";
import {
  changedSince,
  entryMark,
  lastEntry,
  listPlaces,
  type LibraryPlace,
  type LibraryWriter,
  pickPlacedTools,
  placedTools,
  readLibrary,
} from "../records/records.js";
import { type EmbeddedTool, type SearchIndex, smallIndex, tooManyChanges } from "./searchIndex.js";
import { embeddedTexts, embedTools, readVectors, textHash, withVectors } from "./vectors.js";
import { type IndexContent, type IndexedTool, writeIndex } from "./writeIndex.js";

/** Access to a library for those who index it. */
export interface IndexSource {
  /** The folder that holds the indexes. */
  home: string;
  name: string;
  /** Where to read. Throws if the store is closed or the library was deleted. */
  place: () => LibraryPlace;
  write: LibraryWriter;
  model: EmbeddingModel;
}

/** An index, and what making it has cost. */
export interface OpenIndex {
  index: SearchIndex;
  embeddingTokens: number;
}

/** An index, and the last entry in the histories of the tools that it covers. */
interface KnownIndex {
  index: SearchIndex;
  entry: number;
}

interface CurrentIndex extends OpenIndex, KnownIndex {
  /** Name of the library's content, see the schema. */
  content: string;
  dimension: number;
}

/**
 * Opens the index of a library's current revision: the one in memory or else a saved one, brought up to date, or else a
 * new one made from the vectors in SQLite and saved. Callers take turns, so that texts without a vector are embedded
 * (and paid for) once.
 */
export function indexOpener(source: IndexSource): (dimension: number) => Promise<OpenIndex> {
  let latest: CurrentIndex | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  async function refresh(dimension: number): Promise<OpenIndex> {
    const { content } = readLibrary(source.place());
    if (latest?.dimension !== dimension) latest = undefined;
    if (latest?.content === content) return { ...latest, embeddingTokens: 0 };
    latest = await openIndex({ ...source, dimension, latest });
    return latest;
  }
  return (dimension) => {
    const opening = turn.then(() => refresh(dimension));
    // A failure is reported to its caller only; the next one tries again.
    turn = opening.catch(() => undefined);
    return opening;
  };
}

/** Opens the tools of a library as it is now, without vectors: for searches by words alone. */
export function placesOpener({ place }: Pick<IndexSource, "place">): () => SearchIndex {
  let latest: { content: string; index: SearchIndex } | undefined;
  return () => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content === content) return latest.index;
    const tools = listPlaces(here).map((tool) => ({ ...tool, vector: NO_VECTOR }));
    latest = { content, index: smallIndex(tools) };
    return latest.index;
  };
}

const NO_VECTOR = new Float32Array();

type Wanted = IndexSource & { dimension: number };

/** How often others may change tools while they are embedded, which may cost money. */
const MOST_ROUNDS = 10;

async function openIndex(wanted: Wanted & { latest?: KnownIndex }): Promise<CurrentIndex> {
  const { write, model, dimension, latest } = wanted;
  let embeddingTokens = 0;
  let rounds = 0;
  const embed = async (tools: readonly ToolRecord[]) => {
    if ((rounds += 1) > MOST_ROUNDS) {
      const problem = `after embedding its tools ${MOST_ROUNDS} times, ${tools.length} of them have no vector`;
      throw new LibraryFailed({ library: wanted.name, problem, hint: "Try again later" });
    }
    const cost = await embedTools({ write, model, tools, dimension });
    embeddingTokens += cost.embeddingTokens;
  };
  let known = latest && isNear({ ...wanted, ...latest }) ? latest : await savedIndex(wanted);
  while (!known) known = await madeIndex({ ...wanted, embed });
  while (true) {
    const { tools, missing, outdated, ...state } = readChanges({ ...wanted, ...known });
    if (missing.length > 0) await embed(missing);
    else {
      const index =
        outdated.length > 0 ? known.index.changed({ without: outdated, tools }) : known.index;
      return { index, ...state, dimension, embeddingTokens };
    }
  }
}

/** Whether an index is still worth updating with what has changed since. */
function isNear({ index, entry, place }: IndexSource & KnownIndex): boolean {
  const changes = index.changes + changedSince({ ...place(), entry }).length;
  return !tooManyChanges({ size: index.size, changes });
}

/** The newest usable saved index, which must not be of another database or of a time before a restored copy. */
async function savedIndex(wanted: Wanted): Promise<KnownIndex | undefined> {
  const { home, place } = wanted;
  for (const saved of await savedIndexes({ home, key: keyOf(wanted) })) {
    const { entry, mark } = saved.note;
    if (entryMark({ ...place(), entry }) !== mark) continue;
    const index = await loadIndex(saved);
    if (index && isNear({ ...wanted, index, entry })) return { index, entry };
  }
  return undefined;
}

/** Makes an index and saves it. Undefined if tools had to be embedded first, because more may be missing by then. */
async function madeIndex(
  wanted: Wanted & { embed: (tools: readonly ToolRecord[]) => Promise<void> },
): Promise<KnownIndex | undefined> {
  const { home, dimension, embed } = wanted;
  const { tools, hashes, missing, state } = readContent(wanted);
  if (missing.length > 0) {
    await embed(missing);
    return undefined;
  }
  const vectorsOf: IndexContent["vectorsOf"] = (from, to) => {
    const part = hashes.slice(from, to);
    const vectors = readVectors({ ...scopeOf(wanted), hashes: part });
    return part.map((hash) => requireVector({ ...wanted, vector: vectors.get(hash) }));
  };
  const content = { dimension, tools, vectorsOf };
  const write = (folder: string) => writeIndex({ folder, content });
  const index = await saveIndex({ home, key: keyOf(wanted), state, write });
  return { index, entry: state.entry };
}

function keyOf({ name, place, model, dimension }: Wanted): IndexKey {
  return { library: { name, number: place().library }, model: model.name, dimension };
}

function scopeOf({ place, model, dimension }: Wanted) {
  return { ...place(), model: model.name, dimension };
}

/** What an index is made of. The vectors never change, so they can be read later. */
interface Content {
  tools: IndexedTool[];
  /** Names of the vectors, in the order of the tools. */
  hashes: string[];
  /** Tools that have no vector yet. */
  missing: ToolRecord[];
  state: IndexState;
}

/** Reads in one transaction, so that the state and the tools match. */
function readContent(wanted: Wanted): Content {
  const place = wanted.place();
  const read = place.database.transaction((): Content => {
    const embedded = embeddedTexts(scopeOf(wanted));
    const entry = lastEntry(place);
    const { revision } = readLibrary(place);
    const state = { revision, entry, mark: entryMark({ ...place, entry }) };
    const content: Content = { tools: [], hashes: [], missing: [], state };
    for (const { position, record } of placedTools(place)) {
      const hash = textHash(record);
      content.tools.push({ id: record.id, position });
      content.hashes.push(hash);
      if (!embedded.has(hash)) content.missing.push(record);
    }
    return content;
  });
  return read.deferred();
}

interface ChangedContent {
  content: string;
  entry: number;
  /** Ids to remove from the index, before the tools are added. */
  outdated: string[];
  tools: EmbeddedTool[];
  /** Tools that have no vector yet. */
  missing: ToolRecord[];
}

/** What has changed since an index was made; read in one transaction. */
function readChanges(wanted: Wanted & KnownIndex): ChangedContent {
  const place = wanted.place();
  const read = place.database.transaction((): ChangedContent => {
    const outdated = changedSince({ ...place, entry: wanted.entry });
    const placed = pickPlacedTools({ ...place, ids: outdated });
    const { content } = readLibrary(place);
    return {
      content,
      entry: lastEntry(place),
      outdated,
      ...withVectors({ ...scopeOf(wanted), placed }),
    };
  });
  return read.deferred();
}

/** @throws LibraryFailed when somebody has removed it in the meantime */
function requireVector({ name, vector }: IndexSource & { vector: Float32Array | undefined }) {
  if (vector) return vector;
  throw new LibraryFailed({
    library: name,
    problem: "vectors of its tools were removed while its index was made",
    hint: "Search again to make them anew",
  });
}
