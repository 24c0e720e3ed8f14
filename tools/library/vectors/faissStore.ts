import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
 * - Saving on a full disk throws. FAISS ends the process if it cannot write.
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

  override async save(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true });
    const { index } = this;
    const bytes = index.ntotal() * index.getDimension() * Float32Array.BYTES_PER_ELEMENT;
    await claimSpace(join(directory, "faiss.index"), FILE_HEAD + bytes);
    await super.save(directory);
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
  ): Promise<[Document, number][]> {
    const most = Math.min(k, this._index?.ntotal() ?? 0);
    return most > 0 ? await super.similaritySearchVectorWithScore(query, most) : [];
  }
}

/** At least what FAISS writes beside the vectors. */
const FILE_HEAD = 4096;

/**
 * Throws if there is no room for a file, because of the disk, a quota or its permissions: it is written once by Node,
 * whose errors can be caught. FAISS can also write to memory, but faiss-node never frees that.
 */
async function claimSpace(file: string, bytes: number): Promise<void> {
  try {
    await writeFile(file, zeros(bytes));
  } finally {
    await rm(file, { force: true });
  }
}

/** At least as many zeros as asked for, in parts. */
function* zeros(bytes: number): Generator<Buffer> {
  const part = Buffer.alloc(Math.min(bytes, 1 << 20));
  for (let left = bytes; left > 0; left -= part.length) yield part;
}

class Documents extends SynchronousInMemoryDocstore {
  override add(texts: Record<string, Document>): void {
    for (const [id, document] of Object.entries(texts)) this._docs.set(id, document);
  }
}
