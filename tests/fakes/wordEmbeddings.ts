import { createHash } from "node:crypto";
import { Embeddings } from "@langchain/core/embeddings";

/** Embeddings that also count what they were asked for. */
export interface WordEmbeddings extends Embeddings {
  /** The texts of each call, oldest first. */
  readonly calls: string[][];
}

/**
 * A deterministic bag-of-words embedding model for tests: each lower-case word is hashed to one
 * dimension, so that texts are near each other as far as they share words. Vectors have unit length,
 * except that a text without words gives the zero vector.
 */
export function wordEmbeddings({ dimensions = 64 }: { dimensions?: number } = {}): WordEmbeddings {
  return new HashedWords(dimensions);
}

class HashedWords extends Embeddings implements WordEmbeddings {
  readonly calls: string[][] = [];

  constructor(private readonly dimensions: number) {
    super({});
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.calls.push(texts);
    return texts.map((text) => vectorOf(text, this.dimensions));
  }

  async embedQuery(text: string): Promise<number[]> {
    this.calls.push([text]);
    return vectorOf(text, this.dimensions);
  }
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at = createHash("sha256").update(word).digest().readUInt32BE() % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
