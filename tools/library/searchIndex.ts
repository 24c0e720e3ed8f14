import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FaissStore } from "@langchain/community/vectorstores/faiss";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { LibraryFailed } from "../../common/errors.js";
import { packageRoot } from "../../storage/packageRoot.js";

/** A tool near a query; distances are squared L2, between 0 and 4 for unit vectors. */
export interface Neighbour extends IndexedTool {
  distance: number;
}

/** A tool as an index knows it. */
export interface IndexedTool {
  id: string;
  /** Place in the order of registration: larger for whatever was registered later. */
  position: number;
}

/** A tool to put into an index. */
export type EmbeddedTool = IndexedTool & { vector: Float32Array };

/** The FAISS index of one revision of a library, in memory. It is never changed once it is made. */
export interface SearchIndex {
  /** The ids of its tools, in no particular order. */
  ids: readonly string[];
  /** The `k` nearest tools, nearest first; `k` is at most the number of tools. */
  nearest: (query: { vector: number[]; k: number }) => Promise<Neighbour[]>;
  /** Another index, with some of the tools taken out and then others put in. */
  changed: (change: {
    without: ReadonlySet<string>;
    tools: readonly EmbeddedTool[];
  }) => Promise<SearchIndex>;
  /** Writes the index into a folder, not atomically. */
  save: (folder: string) => Promise<void>;
}

/**
 * Loads FAISS, which happens on first use only: it takes longer than the rest of a start. Its native
 * part, where it is missing, is fetched or built first (scripts/setup), since npm does not.
 *
 * @throws LibraryFailed when its native part is missing and cannot be had
 */
export async function requireFaiss(library: string): Promise<void> {
  try {
    if (!bindingLoads()) await setUpFaiss();
    const FaissStore = await loadFaissStore();
    await FaissStore.importFaiss();
  } catch (error) {
    const problem = "FAISS, which searches it, cannot be loaded";
    const reason = error instanceof Error ? error.message : String(error);
    throw new LibraryFailed({ library, problem: `${problem}: ${reason}` }, { cause: error });
  }
}

/** Asked by `require`, since an `import` that has failed once fails for the life of a process. */
function bindingLoads(): boolean {
  try {
    createRequire(import.meta.url)("faiss-node");
    return true;
  } catch {
    // Whatever the reason, the set-up tries the ways there are, and says what is wrong with each.
    return false;
  }
}

async function setUpFaiss(): Promise<void> {
  const script = join(packageRoot(), "scripts/setup/faiss-first-use.mjs");
  const module = (await import(pathToFileURL(script).href)) as { setUpFaiss: () => Promise<void> };
  await module.setUpFaiss();
}

/** Vectors handed to FAISS at once. */
const CHUNK_SIZE = 512;

/** Makes an index of the given tools; their ids differ. */
export async function makeIndex({
  tools,
  dimension,
}: {
  tools: readonly EmbeddedTool[];
  dimension: number;
}): Promise<SearchIndex> {
  const FaissStore = await loadFaissStore();
  const { IndexFlatL2 } = await FaissStore.importFaiss();
  const index = new IndexFlatL2(dimension);
  addVectors(index, tools);
  return searchIndexOver(await storeOf({ index, tools }));
}

/**
 * Reads an index that `save` wrote. The files have to be known to be whole: FAISS ends the whole process
 * on some that are not.
 */
export async function readIndex(folder: string): Promise<SearchIndex> {
  const FaissStore = await loadFaissStore();
  return searchIndexOver(await FaissStore.load(folder, VECTORS_ONLY));
}

/** @param options.tools in the order in which FAISS has their vectors */
async function storeOf({
  index,
  tools,
}: {
  index: FaissStore["index"];
  tools: readonly IndexedTool[];
}): Promise<FaissStore> {
  const FaissStore = await loadFaissStore();
  const mapping = Object.fromEntries(tools.map(({ id }, label) => [label, id]));
  const store = new FaissStore(VECTORS_ONLY, { index, mapping });
  // All at once: adding one by one compares each with all before it.
  const documents = tools.map(({ id, position }) => [
    id,
    { pageContent: "", metadata: { id, position } },
  ]);
  store.getDocstore().add(Object.fromEntries(documents));
  return store;
}

function searchIndexOver(store: FaissStore): SearchIndex {
  const mapping = store.getMapping();
  const ids = Array.from({ length: store.index.ntotal() }, (_, label) => mapping[label] ?? "");
  return {
    ids,
    nearest: async ({ vector, k }) => {
      const found = await store.similaritySearchVectorWithScore(vector, k);
      return found.map(([{ metadata }, distance]) => ({ ...indexedTool(metadata), distance }));
    },
    changed: async ({ without, tools }) => {
      const docstore = store.getDocstore();
      const kept = ids.filter((id) => !without.has(id));
      const index = await copyOf(store.index);
      const labels = [...ids.keys()].filter((label) => without.has(ids[label] ?? ""));
      // What is left moves up in its order.
      if (labels.length > 0) index.removeIds(labels);
      addVectors(index, tools);
      const others = kept.map((id) => indexedTool(docstore.search(id).metadata));
      return searchIndexOver(await storeOf({ index, tools: [...others, ...tools] }));
    },
    save: (folder) => store.save(folder),
  };
}

function indexedTool({ id, position }: Record<string, unknown>): IndexedTool {
  return { id: String(id), position: Number(position) };
}

/** Some twenty times faster than handing the vectors over anew, which are taken number by number. */
async function copyOf(index: FaissStore["index"]): Promise<FaissStore["index"]> {
  const { IndexFlatL2 } = await (await loadFaissStore()).importFaiss();
  return IndexFlatL2.fromBuffer(index.toBuffer());
}

function addVectors(index: FaissStore["index"], tools: readonly EmbeddedTool[]): void {
  for (let start = 0; start < tools.length; start += CHUNK_SIZE) {
    const chunk = tools.slice(start, start + CHUNK_SIZE);
    index.add(chunk.flatMap(({ vector }) => [...vector]));
  }
}

async function loadFaissStore() {
  const { FaissStore } = await import("@langchain/community/vectorstores/faiss");
  return FaissStore;
}

/** FaissStore wants a model, but vectors alone go in and out of it here. */
const VECTORS_ONLY: EmbeddingsInterface = { embedQuery: noModel, embedDocuments: noModel };

async function noModel(): Promise<never> {
  throw new Error("the search index works on vectors and has no embedding model");
}
