import type { ToolRecord } from "../tool.js";
import type { EmbeddingModel } from "./embedding.js";
import { type IndexKey, keyText, loadIndex, saveIndex } from "./indexCache.js";
import { type LibraryPlace, listTools, readLibrary } from "./records.js";
import { makeIndex, requireFaiss, type SearchIndex } from "./searchIndex.js";
import { embedTools, embeddedTexts, readVectors, textHash } from "./vectors.js";

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
  index: SearchIndex;
  embeddingTokens: number;
}

/**
 * Gives the index of a library's current revision: the one in memory while the revision stays, else
 * the saved one, else one made from the vectors in SQLite. Callers take turns, so that texts without a
 * vector are embedded (and paid for) once.
 */
export function indexOpener(source: IndexSource): (dimension: number) => Promise<OpenIndex> {
  let latest: OpenIndex | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  async function refresh(dimension: number): Promise<OpenIndex> {
    const key = currentKey({ ...source, dimension });
    if (latest && keyText(latest.key) === keyText(key)) return { ...latest, embeddingTokens: 0 };
    latest = await openIndex({ ...source, dimension });
    return latest;
  }
  return (dimension) => {
    const opening = turn.then(() => refresh(dimension));
    // A failure belongs to whoever asked; the next in turn tries for itself.
    turn = opening.catch(() => undefined);
    return opening;
  };
}

async function openIndex(source: IndexSource & { dimension: number }): Promise<OpenIndex> {
  const { home, place, model, dimension } = source;
  await requireFaiss(source.name);
  let embeddingTokens = 0;
  while (true) {
    const key = currentKey(source);
    const saved = await loadIndex({ home, key });
    if (saved) return { key, index: saved, embeddingTokens };
    const content = readContent(source);
    if (content.missing.length === 0) {
      const index = await makeIndex({ tools: content.tools, dimension });
      await saveIndex({ home, key: content.key, index });
      return { key: content.key, index, embeddingTokens };
    }
    const cost = await embedTools({ place, model, tools: content.missing, dimension });
    embeddingTokens += cost.embeddingTokens;
  }
}

function currentKey({
  place,
  name,
  model,
  dimension,
}: IndexSource & { dimension: number }): IndexKey {
  const here = place();
  const { revision, content } = readLibrary(here);
  return {
    library: { name, number: here.library },
    revision,
    content,
    model: model.name,
    dimension,
  };
}

/** Read in one transaction, so that the key, the tools and the vectors belong together. */
function readContent(source: IndexSource & { dimension: number }): {
  key: IndexKey;
  tools: { id: string; vector: Float32Array }[];
  missing: ToolRecord[];
} {
  const place = source.place();
  const scope = { ...place, model: source.model.name, dimension: source.dimension };
  const read = place.database.transaction(() => {
    const records = listTools(place);
    const embedded = embeddedTexts(scope);
    const missing = records.filter((record) => !embedded.has(textHash(record)));
    const vectors = missing.length > 0 ? undefined : readVectors(scope);
    const tools = records.flatMap((record) => {
      const vector = vectors?.get(textHash(record));
      return vector ? [{ id: record.id, vector }] : [];
    });
    return { key: currentKey(source), tools, missing };
  });
  return read.deferred();
}
