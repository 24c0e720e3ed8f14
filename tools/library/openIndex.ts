import type { ToolRecord } from "../tool.js";
import type { EmbeddingModel } from "./embedding.js";
import { type IndexKey, keyText, loadIndex, saveIndex } from "./indexCache.js";
import { changedSince, lastEntry, type LibraryPlace, placedTools, readLibrary } from "./records.js";
import { type EmbeddedTool, makeIndex, requireFaiss, type SearchIndex } from "./searchIndex.js";
import { embedTools, readVectors, textHash } from "./vectors.js";

/** What is needed to come to the index of a library. */
export interface IndexSource {
  home: string;
  name: string;
  /** Throws when the store is closed or the library is gone. */
  place: () => LibraryPlace;
  model: EmbeddingModel;
}

/** An index, what it was made of, and what making it has cost. */
export interface OpenIndex {
  key: IndexKey;
  /** Last entry in the histories of the tools that it knows of. */
  entry: number;
  index: SearchIndex;
  embeddingTokens: number;
}

/** An index is changed while less than this share of its tools is another; else it is made anew. */
const MOST_CHANGED = 0.25;

/**
 * Gives the index of a library's current revision: the one in memory while the revision stays, else
 * the saved one, else the one in memory with what has changed since, else one made from the vectors in
 * SQLite. Callers take turns, so that texts without a vector are embedded (and paid for) once.
 */
export function indexOpener(source: IndexSource): (dimension: number) => Promise<OpenIndex> {
  let latest: OpenIndex | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  async function refresh(dimension: number): Promise<OpenIndex> {
    const { key } = currentState({ ...source, dimension });
    if (latest && keyText(latest.key) === keyText(key)) return { ...latest, embeddingTokens: 0 };
    latest = await openIndex({ ...source, dimension, latest });
    return latest;
  }
  return (dimension) => {
    const opening = turn.then(() => refresh(dimension));
    // A failure belongs to whoever asked; the next in turn tries for itself.
    turn = opening.catch(() => undefined);
    return opening;
  };
}

type Wanted = IndexSource & { dimension: number };

async function openIndex(wanted: Wanted & { latest?: OpenIndex }): Promise<OpenIndex> {
  const { home, place, model, dimension, latest } = wanted;
  await requireFaiss(wanted.name);
  let embeddingTokens = 0;
  while (true) {
    const state = currentState(wanted);
    const saved = await loadIndex({ home, key: state.key });
    if (saved) return { ...state, index: saved, embeddingTokens };
    const { key, entry, tools, missing, outdated } = readContent(wanted);
    if (missing.length === 0) {
      const index =
        latest && outdated
          ? await latest.index.changed({ without: outdated, tools })
          : await makeIndex({ tools, dimension });
      await saveIndex({ home, key, index });
      return { key, entry, index, embeddingTokens };
    }
    const cost = await embedTools({ place, model, tools: missing, dimension });
    embeddingTokens += cost.embeddingTokens;
  }
}

/** What an index made now is made of. */
type IndexState = Pick<OpenIndex, "key" | "entry">;

function currentState(wanted: Wanted): IndexState {
  return wanted
    .place()
    .database.transaction(() => readState(wanted))
    .deferred();
}

function readState({ place, name, model, dimension }: Wanted): IndexState {
  const here = place();
  const { revision, content } = readLibrary(here);
  const library = { name, number: here.library };
  const key = { library, revision, content, model: model.name, dimension };
  return { key, entry: lastEntry(here) };
}

interface Content extends IndexState {
  tools: EmbeddedTool[];
  /** Tools that have no vector yet. */
  missing: ToolRecord[];
  /** Where `tools` are only those to put into the latest index: what is to be taken out of it first. */
  outdated: ReadonlySet<string> | undefined;
}

/** Read in one transaction, so that the key, the tools and the vectors belong together. */
function readContent(wanted: Wanted & { latest?: OpenIndex }): Content {
  const place = wanted.place();
  const scope = { ...place, model: wanted.model.name, dimension: wanted.dimension };
  const read = place.database.transaction(() => {
    const changed = changedTools({ ...wanted, ...place });
    const placed = placedTools({ ...place, ids: changed });
    const hashes = changed && placed.map(({ record }) => textHash(record));
    const vectors = readVectors({ ...scope, hashes });
    const tools: EmbeddedTool[] = [];
    const missing: ToolRecord[] = [];
    for (const { position, record } of placed) {
      const vector = vectors.get(textHash(record));
      if (vector) tools.push({ id: record.id, position, vector });
      else missing.push(record);
    }
    return { ...readState(wanted), tools, missing, outdated: changed && new Set(changed) };
  });
  return read.deferred();
}

/** The ids of what has changed since the latest index was made; undefined where that is of no use. */
function changedTools({
  latest,
  dimension,
  ...place
}: Wanted & LibraryPlace & { latest?: OpenIndex }): string[] | undefined {
  if (latest?.key.dimension !== dimension) return undefined;
  const ids = changedSince({ ...place, entry: latest.entry });
  return ids.length < latest.index.ids.length * MOST_CHANGED ? ids : undefined;
}
