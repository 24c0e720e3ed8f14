import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type VectorStoreInterface, VectorStore } from "@langchain/core/vectorstores";
import { InvalidSetting, messageOf } from "../../../common/errors.js";
import { sha256 } from "../records/hash.js";
import { countTools, entryMark, listToolIds } from "../records/records.js";
import { askStore } from "./documents.js";
import { type IndexState, libraryFolder, loadIndex, saveIndex } from "./indexCache.js";
import { type GivenVectorStore, type IndexedLibrary, readTools } from "./vectors.js";
import type { DocumentInterface } from "@langchain/core/documents";
import { squaredDistance } from "./nearest.js";

/** A vector store that follows a library. */
export interface FollowingStore {
  store: VectorStoreInterface;
  /** The entry in the histories of the tools up to which it has their changes; undefined if it has to be filled. */
  entry: number | undefined;
  /** It holds no tool, so none has to be removed before one is added. */
  isEmpty: boolean;
  /** Told after it was brought up to date. */
  save: (state: IndexState, changes: number) => Promise<void>;
}

/**
 * Opens the vector store of a library: the one that was given, else FAISS with the vectors saved beside the library. Where
 * FAISS cannot be loaded, it is a store in memory that is filled anew.
 */
export async function openStore(library: IndexedLibrary): Promise<FollowingStore> {
  const { vectorStore } = library;
  if (vectorStore) return await openGiven(library, vectorStore);
  const { embeddings } = library.model;
  const Faiss = await faissIfInstalled(countTools(library.place()));
  if (!Faiss) {
    const store = new ExactStore(embeddings, {});
    return { store, entry: undefined, isEmpty: true, save: async () => undefined };
  }
  const folder = folderOf(library);
  const saved = await savedIn(library, folder, (from) => Faiss.load(from, embeddings));
  const store = saved?.index ?? new Faiss(embeddings);
  let unsaved = 0;
  return {
    store,
    entry: saved?.entry,
    isEmpty: !saved,
    save: async (state, changes) => {
      unsaved += changes;
      if (unsaved < countTools(library.place()) * SAVED_SHARE) return;
      await saveIndex({ library: library.name, folder, state, write: (to) => store.save(to) });
      unsaved = 0;
    },
  };
}

/**
 * An index is saved once this share of its tools has changed, so in small libraries after each change: a change then costs
 * at most what writing a thousand vectors does.
 */
const SAVED_SHARE = 1 / 1000;

/** What a given store holds is not ours to save; only up to which entry it follows the library is. */
async function openGiven(
  library: IndexedLibrary,
  given: GivenVectorStore,
): Promise<FollowingStore> {
  const { name, model, dimension, place } = library;
  const { embeddings } = model;
  const of = { library: name, embeddings, embeddingModel: model.name, dimension };
  const store = typeof given === "function" ? await given(of) : given;
  const folder = folderOf(library, `given-${store._vectorstoreType()}-`);
  // One that was emptied, or that lives in memory, holds nothing, whatever was noted.
  const [first] = readTools(library, listToolIds(place()).slice(0, 1)).tools;
  const isThere = first && (await askStore(store, library, [...first.vector], 1).catch(() => NONE));
  const isEmpty = !isThere || isThere.ids.length === 0;
  const saved = isEmpty ? undefined : await savedIn(library, folder, async () => store);
  const save: FollowingStore["save"] = (state) =>
    saveIndex({ library: name, folder, state, write: async () => undefined });
  return { store, entry: saved?.entry, isEmpty, save };
}

const NONE = { ids: [], isAll: true };

/** What was saved, unless it is of another database, or of a time before a restored copy. */
async function savedIn<Index>(
  { place }: IndexedLibrary,
  folder: string,
  load: (folder: string) => Promise<Index>,
) {
  const saved = await loadIndex(folder, load);
  return saved && entryMark({ ...place(), entry: saved.entry }) === saved.mark ? saved : undefined;
}

/** The folder of one model. */
function folderOf({ home, name, place, model, dimension }: IndexedLibrary, prefix = ""): string {
  const library = libraryFolder({ home, library: { name, number: place().library } });
  const readable = model.name.replace(/[^A-Za-z0-9.]+/g, "-").slice(0, 40);
  return join(library, `${prefix}${readable}-${sha256(model.name).slice(0, 8)}-${dimension}`);
}

let hasSaidSo = false;

/** In smaller libraries nobody notices whether FAISS is there. */
const MANY_TOOLS = 1_000;

async function faissIfInstalled(tools: number) {
  try {
    const { SafeFaissStore } = await import("./faissStore.js");
    await SafeFaissStore.importFaiss();
    return SafeFaissStore;
  } catch (error) {
    const [, reason = messageOf(error)] = /Error: (.*)/.exec(messageOf(error)) ?? [];
    if (!hasSaidSo && tools >= MANY_TOOLS) {
      hasSaidSo = true;
      process.stderr.write(
        `tulipgraph: vectors are compared in memory, because faiss-node cannot be loaded (${reason}). This finds the same, but takes longer in large libraries. Install it with: npm install faiss-node\n`,
      );
    }
    return undefined;
  }
}

/** Names a module whose default export is a {@link GivenVectorStore}, for all libraries. */
const MODULE = "TULIPGRAPH_VECTOR_STORE";

/** @throws InvalidSetting if the module cannot be loaded or exports something else */
export async function storeOfEnvironment(): Promise<GivenVectorStore | undefined> {
  const path = process.env[MODULE];
  if (!path) return undefined;
  const file = resolve(path);
  const hint = "Export a LangChain vector store as default, or a function that returns one";
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    const problem = `${file} cannot be loaded: ${messageOf(error)}`;
    throw new InvalidSetting({ setting: MODULE, problem, hint });
  })) as { default?: GivenVectorStore };
  const given = module.default;
  if (typeof given === "function" || (given && "similaritySearchVectorWithScore" in given))
    return given;
  const problem = `${file} exports no vector store as default`;
  throw new InvalidSetting({ setting: MODULE, problem, hint });
}

/** Compares a query with every vector in memory: what searches use where FAISS cannot be loaded. */
export class ExactStore extends VectorStore {
  private readonly held = new Map<string, { vector: Float32Array; document: DocumentInterface }>();

  _vectorstoreType(): string {
    return "exact";
  }

  async addDocuments(documents: DocumentInterface[], options: { ids: string[] }): Promise<void> {
    const texts = documents.map(({ pageContent }) => pageContent);
    await this.addVectors(await this.embeddings.embedDocuments(texts), documents, options);
  }

  async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    { ids }: { ids: string[] },
  ): Promise<void> {
    for (const [at, document] of documents.entries())
      this.held.set(ids[at] ?? "", { vector: Float32Array.from(vectors[at] ?? []), document });
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    for (const id of ids) this.held.delete(id);
  }

  async similaritySearchVectorWithScore(
    query: number[],
    k: number,
  ): Promise<[DocumentInterface, number][]> {
    const compared = Array.from(this.held.values(), ({ vector, document }) => ({
      document,
      distance: squaredDistance(query, vector),
    }));
    return compared
      .toSorted((one, other) => one.distance - other.distance)
      .slice(0, k)
      .map(({ document, distance }) => [document, distance]);
  }
}
