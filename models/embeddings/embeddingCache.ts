import { Embeddings } from "@langchain/core/embeddings";
import { ModelFailed } from "../../common/errors.js";
import { embedInBatches } from "../../common/longWork.js";
import type { ProvidedEmbeddings } from "../providers.js";

/** An embedding model that keeps its vectors in memory, for a command that embeds the same texts repeatedly. */
export class CachedEmbeddings extends Embeddings implements ProvidedEmbeddings {
  readonly embedQueries?: (texts: string[]) => Promise<number[][]>;
  private readonly documents: Kind;
  private readonly queries: Kind;

  /** @param identity "provider:name", or the name of the exact weights */
  constructor(
    embeddings: ProvidedEmbeddings,
    readonly identity: string,
  ) {
    super({});
    this.documents = { embed: (texts) => embeddings.embedDocuments(texts), vectors: new Map() };
    this.queries = this.documents;
    const { embedQueries } = embeddings;
    if (!embedQueries) return;
    this.queries = { embed: embedQueries.bind(embeddings), vectors: new Map() };
    this.embedQueries = (texts) => this.vectorsOf(texts, this.queries);
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return this.vectorsOf(texts, this.documents);
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.vectorsOf([text], this.queries);
    return vector;
  }

  /**
   * Embeds the texts without a vector, each once, and reports the progress.
   *
   * @param as "queries" for search phrases, which some models embed differently from documents
   * @default "documents"
   * @returns the number of texts that the model was given
   * @throws ModelFailed when the model does not return one usable vector per text; earlier batches are kept
   */
  async embedMissing(
    texts: readonly string[],
    as: "documents" | "queries" = "documents",
  ): Promise<number> {
    const { embed, vectors } = this[as];
    const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
    await embedInBatches(missing, async (batch) => {
      const made = await embed(batch);
      const usable = made.filter((vector) => vector.length > 0 && vector.every(Number.isFinite));
      if (usable.length !== batch.length || made.length !== batch.length) {
        throw new ModelFailed({
          model: this.identity,
          problem: `it returned ${usable.length} vectors of finite numbers for ${batch.length} texts`,
          hint: "Choose another embedding model",
        });
      }
      for (const [at, text] of batch.entries()) vectors.set(text, made[at] ?? []);
    });
    return missing.length;
  }

  private async vectorsOf(texts: string[], kind: Kind): Promise<number[][]> {
    await this.embedMissing(texts, kind === this.documents ? "documents" : "queries");
    return texts.map((text) => kind.vectors.get(text)?.slice() ?? []);
  }
}

/** Texts of one kind: how they are embedded, and their vectors. */
interface Kind {
  embed: (texts: string[]) => Promise<number[][]>;
  vectors: Map<string, number[]>;
}
