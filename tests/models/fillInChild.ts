import { Embeddings } from "@langchain/core/embeddings";
import { cachedEmbeddings } from "../../models/embeddingCache.js";

/** Fills a cache with the texts "text 0" to "text COUNT - 1" and is killed inside its third batch. */
const [file, count] = process.argv.slice(2);
if (!file) throw new Error("the file to fill is missing");

class Deadly extends Embeddings {
  private calls = 0;

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.calls += 1;
    if (this.calls === 3) process.kill(process.pid, "SIGKILL");
    return texts.map((text) => [text.length, this.calls]);
  }

  async embedQuery(): Promise<number[]> {
    throw new Error("only documents are asked for here");
  }
}

const cache = cachedEmbeddings({ embeddings: new Deadly({}), model: "fake:lengths", file });
await cache.embedMissing(Array.from({ length: Number(count) }, (_, at) => `text ${at}`));
