import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelFailed } from "../../common/errors.js";
import { cachedEmbeddings, type CachedEmbeddings } from "../../models/embeddingCache.js";
import { toldProgress } from "../fakes/toldProgress.js";
import { type WordEmbeddings, wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { programFile } from "../fakes/programs.js";

let folder: string;
let words: WordEmbeddings;
const open: CachedEmbeddings[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-cache-"));
  words = wordEmbeddings();
});
afterEach(() => {
  for (const cache of open.splice(0)) cache.close();
  rmSync(folder, { recursive: true, force: true });
});

function openCache(
  options: { model?: string; embeddings?: WordEmbeddings } = {},
): CachedEmbeddings {
  const { model = "fake:words", embeddings = words } = options;
  const file = join(folder, "embeddings.db");
  const cache = cachedEmbeddings({ embeddings, model, file });
  open.push(cache);
  return cache;
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `text ${at}`);
}

describe("an embedding cache", () => {
  it("gives every list of texts the vectors of the model, as 32-bit floats", async () => {
    const cache = openCache();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 8 }), async (texts) => {
        const expected = await words.embedDocuments(texts);
        const rounded = expected.map((vector) => [...Float32Array.from(vector)]);
        expect(await cache.embedDocuments(texts)).toEqual(rounded);
      }),
      { numRuns: 30 },
    );
  });

  it("gives the model each text once, whoever asks and however often", async () => {
    const first = openCache();
    expect(await first.embedMissing(["add", "multiply", "add"])).toBe(2);
    expect(words.calls).toEqual([["add", "multiply"]]);
    await openCache().embedDocuments(["multiply", "divide"]);
    await openCache().embedQuery("divide");
    expect(words.calls.slice(1)).toEqual([["divide"]]);
    expect(await first.embedMissing(["divide", "add"])).toBe(0);
  });

  it("keeps the vectors of different models apart", async () => {
    const other = wordEmbeddings({ dimensions: 8 });
    await openCache().embedQuery("add");
    const vector = await openCache({ model: "fake:other", embeddings: other }).embedQuery("add");
    expect(vector).toHaveLength(8);
    expect(await openCache().embedQuery("add")).toHaveLength(64);
  });

  it("tells after each batch how many of the new texts are done", async () => {
    const told = toldProgress();
    const cache = openCache();
    await cache.embedMissing(numbered(50));
    await cache.embedMissing(numbered(350));
    const steps = told.filter(({ hasEnded }) => !hasEnded);
    expect(steps.map(({ done, total }) => [done, total])).toEqual([
      [0, 50],
      [50, 50],
      [0, 300],
      [128, 300],
      [256, 300],
      [300, 300],
    ]);
    const count = told.length;
    await cache.embedMissing(numbered(350));
    expect(told).toHaveLength(count);
  });

  it("keeps queries apart if the model embeds them differently from documents", async () => {
    const told = Object.assign(wordEmbeddings(), {
      embedQueries: (texts: string[]) => words.embedDocuments(texts.map((text) => `query ${text}`)),
    });
    const cache = openCache({ embeddings: told });
    const [document] = await cache.embedDocuments(["add"]);
    expect(await cache.embedMissing(["add"], "queries")).toBe(1);
    expect(await cache.embedQuery("add")).not.toEqual(document);
    expect(await cache.embedQueries?.(["add"])).toEqual([await cache.embedQuery("add")]);
    expect(await cache.embedMissing(["add"], "queries")).toBe(0);
  });

  it("continues where a killed process stopped", async () => {
    const child = spawnSync(
      process.execPath,
      [programFile("tests/models/fillInChild.ts"), join(folder, "embeddings.db"), "500"],
      { encoding: "utf8" },
    );
    expect(child.signal).toBe("SIGKILL");
    const cache = openCache({ model: "fake:lengths" });
    // Two batches of 128 were finished.
    expect(await cache.embedMissing(numbered(500))).toBe(244);
    expect(words.calls.flat()).toEqual(numbered(500).slice(256));
    expect(await cache.embedQuery("text 200")).toEqual([8, 2]);
  }, 300_000);

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
