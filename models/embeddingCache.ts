import { createHash } from "node:crypto";
import { Embeddings } from "@langchain/core/embeddings";
import { ModelFailed } from "../common/errors.js";
import { type Database, type Migration, openDatabase } from "../storage/sqlite.js";

/**
 * Texts per call of the model. Vectors are stored after each call, so this is also the most work a killed
 * process loses.
 */
const BATCH_SIZE = 128;

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

/** Told how many of the new texts have been embedded. */
export type EmbeddingListener = (progress: { done: number; total: number }) => void;

/** Options of an embedding cache. */
interface CacheOptions {
  embeddings: Embeddings;
  /** "provider:name"; vectors are kept per model. */
  model: string;
  /** The SQLite file, created if missing; several processes may use it at once. */
  file: string;
  onProgress?: EmbeddingListener;
}

/** An embedding model that keeps its vectors; close it after use. */
export interface CachedEmbeddings extends Embeddings {
  /**
   * Embeds the texts without a vector, each once.
   *
   * @returns the number of texts embedded
   * @throws ModelFailed when the model does not return one usable vector per text; earlier vectors are kept
   */
  embedMissing: (texts: readonly string[]) => Promise<number>;
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

class StoredVectors extends Embeddings implements CachedEmbeddings {
  private readonly database: Database;

  constructor(private readonly options: CacheOptions) {
    super({});
    this.database = openDatabase({ file: options.file, migrations: MIGRATIONS });
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    await this.embedMissing(texts);
    const select = this.database
      .prepare("SELECT vector FROM embeddings WHERE model = ? AND text_hash = ?")
      .pluck();
    return texts.map((text) => fromBytes(select.get(this.options.model, hashOf(text)) as Buffer));
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.embedDocuments([text]);
    return vector;
  }

  async embedMissing(texts: readonly string[]): Promise<number> {
    const missing = this.withoutVector(texts);
    for (let done = 0; done < missing.length;) {
      const batch = missing.slice(done, done + BATCH_SIZE);
      this.store(batch, await this.embedNew(batch));
      done += batch.length;
      this.options.onProgress?.({ done, total: missing.length });
    }
    return missing.length;
  }

  close(): void {
    this.database.close();
  }

  private withoutVector(texts: readonly string[]): string[] {
    const known = this.database
      .prepare("SELECT 1 FROM embeddings WHERE model = ? AND text_hash = ?")
      .pluck();
    return [...new Set(texts)].filter(
      (text) => known.get(this.options.model, hashOf(text)) === undefined,
    );
  }

  /** Checks before storing: otherwise a bad reply would be served forever. */
  private async embedNew(texts: string[]): Promise<number[][]> {
    const vectors = await this.options.embeddings.embedDocuments(texts);
    if (vectors.length === texts.length && vectors.every(isUsable)) return vectors;
    throw new ModelFailed({
      model: this.options.model,
      problem: `one vector of finite numbers was wanted for each of ${texts.length} texts, but ${vectors.filter(isUsable).length} came`,
      hint: "Choose another embedding model",
    });
  }

  private store(texts: readonly string[], vectors: readonly number[][]): void {
    const insert = this.database.prepare(
      "INSERT OR IGNORE INTO embeddings (model, text_hash, vector) VALUES (?, ?, ?)",
    );
    this.database
      .transaction(() => {
        for (const [at, text] of texts.entries()) {
          insert.run(this.options.model, hashOf(text), toBytes(vectors[at] ?? []));
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
