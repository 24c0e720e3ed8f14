import type { Document } from "@langchain/core/documents";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { FaissStore, SynchronousInMemoryDocstore } from "./langchainFaiss.js";

/**
 * LangChain's `FaissStore` without its pitfalls. What it saves is a folder that `FaissStore.load` opens.
 *
 * - Adding a document whose id is there does not throw, and takes no longer in a large store. The original changes its
 *   index first, and compares each new id with all others.
 * - An empty store finds nothing, and asking for more than there is gives all. FAISS ends the process if it is asked for
 *   nothing.
 * - Deleting ids that are not there does nothing.
 */
export class SafeFaissStore extends FaissStore {
  constructor(
    embeddings: EmbeddingsInterface,
    args: ConstructorParameters<typeof FaissStore>[1] = {},
  ) {
    super(embeddings, { ...args, docstore: new Documents(args.docstore?._docs) });
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    const held = ids.filter((id) => this.docstore._docs.has(id));
    if (held.length > 0) await super.delete({ ids: held });
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
  ): Promise<[Document, number][]> {
    const most = Math.min(k, this._index?.ntotal() ?? 0);
    return most > 0 ? await super.similaritySearchVectorWithScore(query, most) : [];
  }
}

class Documents extends SynchronousInMemoryDocstore {
  override add(texts: Record<string, Document>): void {
    for (const [id, document] of Object.entries(texts)) this._docs.set(id, document);
  }
}
