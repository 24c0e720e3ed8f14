import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { CachedEmbeddings } from "../../../models/embeddings/embeddingCache.js";
import { toldProgress } from "../../fakes/toldProgress.js";
import { type WordEmbeddings, wordEmbeddings } from "../../fakes/wordEmbeddings.js";

let words: WordEmbeddings;

beforeEach(() => {
  words = wordEmbeddings();
});

function openCache(embeddings = words): CachedEmbeddings {
  return new CachedEmbeddings(embeddings, "fake:words");
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `text ${at}`);
}

describe("an embedding cache", () => {
  it("gives every list of texts the vectors of the model", async () => {
    const cache = openCache();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 8 }), async (texts) => {
        const expected = await words.embedDocuments(texts);
        expect(await cache.embedDocuments(texts)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("gives the model each text once, whoever asks and however often", async () => {
    const first = openCache();
    expect(await first.embedMissing(["add", "multiply", "add"])).toBe(2);
    expect(words.calls).toEqual([["add", "multiply"]]);
    await first.embedDocuments(["multiply", "divide"]);
    await first.embedQuery("divide");
    expect(words.calls.slice(1)).toEqual([["divide"]]);
    expect(await first.embedMissing(["divide", "add"])).toBe(0);
  });

  it("tells after each batch how many of the new texts are done", async () => {
    const told = toldProgress();
    const cache = openCache();
    await cache.embedMissing(numbered(50));
    await cache.embedMissing(numbered(350));
    const steps = told.filter(({ hasEnded }) => !hasEnded);
    expect(steps.map(({ done, total }) => [done, total])).toEqual([
      ...[0, 8, 16, 32, 50].map((done) => [done, 50]),
      ...[0, 8, 16, 32, 64, 128, 256, 300].map((done) => [done, 300]),
    ]);
    const count = told.length;
    await cache.embedMissing(numbered(350));
    expect(told).toHaveLength(count);
  });

  it("keeps queries apart if the model embeds them differently from documents", async () => {
    const told = Object.assign(wordEmbeddings(), {
      embedQueries: (texts: string[]) => words.embedDocuments(texts.map((text) => `query ${text}`)),
    });
    const cache = openCache(told);
    const [document] = await cache.embedDocuments(["add"]);
    expect(await cache.embedMissing(["add"], "queries")).toBe(1);
    expect(await cache.embedQuery("add")).not.toEqual(document);
    expect(await cache.embedQueries?.(["add"])).toEqual([await cache.embedQuery("add")]);
    expect(await cache.embedMissing(["add"], "queries")).toBe(0);
  });

  it("stores nothing from a reply with a missing or non-numeric vector", async () => {
    const works = words.embedDocuments.bind(words);
    for (const vectors of [
      [[1, 0]],
      [[1, 0], []],
      [
        [1, 0],
        [Number.NaN, 1],
      ],
    ]) {
      words.embedDocuments = async () => vectors;
      await expect(openCache().embedMissing(["add", "multiply"])).rejects.toThrow(ModelFailed);
    }
    words.embedDocuments = works;
    expect(await openCache().embedMissing(["add", "multiply"])).toBe(2);
  });
});
