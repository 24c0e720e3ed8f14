import type { DocumentInterface } from "@langchain/core/documents";
import { VectorStore } from "@langchain/core/vectorstores";
import { squaredDistance } from "./nearest.js";

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
