import type { VectorStoreInterface } from "@langchain/core/vectorstores";
import { LibraryFailed, TulipgraphError, messageOf } from "../../../common/errors.js";
import { sha256 } from "../records/hash.js";
import type { SearchIndex } from "./nearest.js";
import type { IndexedLibrary, IndexedTool } from "./vectors.js";

/** Puts tools into a vector store, where they replace documents of the same tools. */
export async function putTools(
  store: VectorStoreInterface,
  library: IndexedLibrary,
  tools: readonly IndexedTool[],
): Promise<void> {
  if (tools.length === 0) return;
  const documents = tools.map(({ id, text }) => ({
    id: documentId(library, id),
    pageContent: text,
    metadata: { ...ownerOf(library), tool: id },
  }));
  const ids = documents.map(({ id }) => id);
  const vectors = tools.map(({ vector }) => [...vector]);
  await named(library, store, () => store.addVectors(vectors, documents, { ids }));
}

/**
 * Removes tools from a vector store. Some stores fail if one of the ids is unknown, and others cannot delete: what they
 * keep is passed over by searches.
 */
export async function dropTools(
  store: VectorStoreInterface,
  library: IndexedLibrary,
  tools: readonly string[],
): Promise<void> {
  const ids = tools.map((tool) => documentId(library, tool));
  await store.delete({ ids }).catch(async () => {
    for (const id of ids) await store.delete({ ids: [id] }).catch(() => undefined);
  });
}

/** The tools of a library that a vector store finds near a vector, each once. */
export async function askStore(
  store: VectorStoreInterface,
  library: IndexedLibrary,
  vector: readonly number[],
  k: number,
): ReturnType<SearchIndex["nearest"]> {
  const search = () => store.similaritySearchVectorWithScore([...vector], k);
  const found = await named(library, store, search);
  const owner = ownerOf(library);
  const ids = found.flatMap(([{ metadata }]) =>
    metadata["library"] === owner.library && metadata["model"] === owner.model
      ? String(metadata["tool"])
      : [],
  );
  return { ids: [...new Set(ids)], isAll: found.length < k };
}

/** Whose documents they are: a store may hold those of several libraries and models. */
function ownerOf({ name, model }: IndexedLibrary) {
  return { library: name, model: model.name };
}

/** A UUID, because some databases take nothing else. */
function documentId(library: IndexedLibrary, tool: string): string {
  const hash = sha256(JSON.stringify([ownerOf(library), tool]));
  const version = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}`;
  return `${version}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Says of whose store a failure is. */
async function named<Result>(
  { name }: IndexedLibrary,
  store: VectorStoreInterface,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TulipgraphError) throw error;
    const problem = `its vector store (${store._vectorstoreType()}) failed: ${messageOf(error)}`;
    throw new LibraryFailed({ library: name, problem }, { cause: error });
  }
}
