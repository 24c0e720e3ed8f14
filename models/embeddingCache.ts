import { createHash } from "node:crypto";
import { Embeddings } from "@langchain/core/embeddings";
import { ModelFailed } from "../common/errors.js";
import { embedInBatches } from "../common/longWork.js";
import type { ProvidedEmbeddings } from "./providers.js";
import { type Database, type Migration, openDatabase } from "../storage/sqlite.js";

/** Schema of `embeddings.db`. Append only: each entry is one version of the file. */
const MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE embeddings (
      model TEXT NOT NULL,
      text_hash TEXT NOT NULL,
      vector BLOB NOT NULL,
      PRIMARY KEY (model, text_hash)
    ) STRICT`,
  ],
];

/** What an embedding cache is made of. */
interface CacheOptions {
  embeddings: ProvidedEmbeddings;
  /** "provider:name", or the name of the exact weights; the vectors of each model are kept apart. */
  model: string;
  /** The SQLite file, created if missing; several processes may use it at once. */
  file: string;
}

/** An embedding model that keeps its vectors; close it after use. */
export interface CachedEmbeddings extends ProvidedEmbeddings {
  /**
   * Embeds the texts without a vector, each once.
   *
   * @param as "queries" for search phrases, which some models embed differently from documents
   * @default "documents"
   * @returns the number of texts that the model was given
   * @throws ModelFailed when the model does not return one usable vector per text; earlier batches are kept
   */
  embedMissing: (texts: readonly string[], as?: "documents" | "queries") => Promise<number>;
  close: () => void;
}

/**
 * Keeps the vectors of an embedding model in a SQLite file by the SHA-256 of their text, as 32-bit floats, so
 * that a text is embedded only once for all libraries, benchmarks and processes of a home.
 *
 * @throws StorageFailed when the file cannot be opened
 */
export function cachedEmbeddings(options: CacheOptions): CachedEmbeddings {
  return new StoredVectors(options);
}

/** Texts of one kind: how they are embedded, and the name under which their vectors are kept. */
interface Kind {
  model: string;
  embed: (texts: string[]) => Promise<number[][]>;
}

class StoredVectors extends Embeddings implements CachedEmbeddings {
  readonly identity: string;
  readonly embedQueries?: (texts: string[]) => Promise<number[][]>;
  private readonly database: Database;
  private readonly documents: Kind;
  private readonly queries: Kind;

  constructor(private readonly options: CacheOptions) {
    super({});
    const { embeddings, model, file } = options;
    this.identity = model;
    this.database = openDatabase({ file, migrations: MIGRATIONS });
    this.documents = { model, embed: (texts) => embeddings.embedDocuments(texts) };
    this.queries = this.documents;
    const { embedQueries } = embeddings;
    if (!embedQueries) return;
    this.queries = { model: `${model} of queries`, embed: embedQueries.bind(embeddings) };
    this.embedQueries = (texts) => this.vectorsOf(texts, this.queries);
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return this.vectorsOf(texts, this.documents);
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.vectorsOf([text], this.queries);
    return vector;
  }

  embedMissing(texts: readonly string[], as: "documents" | "queries" = "documents") {
    return this.embedNew(texts, this[as]);
  }

  close(): void {
    this.database.close();
  }

  private async vectorsOf(texts: string[], kind: Kind): Promise<number[][]> {
    await this.embedNew(texts, kind);
    const select = this.database
      .prepare("SELECT vector FROM embeddings WHERE model = ? AND text_hash = ?")
      .pluck();
    return texts.map((text) => fromBytes(select.get(kind.model, hashOf(text)) as Buffer));
  }

  private async embedNew(texts: readonly string[], kind: Kind): Promise<number> {
    const missing = this.withoutVector(texts, kind);
    await embedInBatches(missing, async (batch) => {
      this.store(batch, await this.embedBatch(batch, kind), kind);
    });
    return missing.length;
  }

  private withoutVector(texts: readonly string[], { model }: Kind): string[] {
    const known = this.database
      .prepare("SELECT 1 FROM embeddings WHERE model = ? AND text_hash = ?")
      .pluck();
    return [...new Set(texts)].filter((text) => known.get(model, hashOf(text)) === undefined);
  }

  /** Checked before storing: a bad vector would be served forever. */
  private async embedBatch(texts: string[], { embed }: Kind): Promise<number[][]> {
    const vectors = await embed(texts);
    if (vectors.length === texts.length && vectors.every(isUsable)) return vectors;
    throw new ModelFailed({
      model: this.options.model,
      problem: `it returned ${vectors.filter(isUsable).length} vectors of finite numbers for ${texts.length} texts`,
      hint: "Choose another embedding model",
    });
  }

  private store(texts: readonly string[], vectors: readonly number[][], { model }: Kind): void {
    const insert = this.database.prepare(
      "INSERT OR IGNORE INTO embeddings (model, text_hash, vector) VALUES (?, ?, ?)",
    );
    this.database
      .transaction(() => {
        for (const [at, text] of texts.entries()) {
          insert.run(model, hashOf(text), toBytes(vectors[at] ?? []));
        }
      })
      .immediate();
  }
}

function isUsable(vector: readonly number[]): boolean {
  return vector.length > 0 && vector.every(Number.isFinite);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function toBytes(vector: number[]): Buffer {
  return Buffer.from(Float32Array.from(vector).buffer);
}

/** Copied, because the buffer may not be aligned to 32 bits. */
function fromBytes(bytes: Buffer): number[] {
  return [...new Float32Array(new Uint8Array(bytes).buffer)];
}
