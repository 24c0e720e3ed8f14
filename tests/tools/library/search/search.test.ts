import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { InvalidSetting } from "../../../../common/errors.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { tool, toolAt, vectorEmbeddings, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const VECTORS = { embeddings: vectorEmbeddings(), embeddingModel: "fake:vectors" };

async function libraryAt(vectors: Record<string, number[]>) {
  const library = await shop.openLibrary(VECTORS);
  const tools = Object.entries(vectors).map(([id, vector]) => toolAt(id, vector));
  await library.sync({ origin: "grid", fingerprint: "1", tools });
  return library;
}

describe("distances", () => {
  it("are squared L2 distances of unit vectors", async () => {
    const library = await libraryAt({ same: [2, 0], right: [0, 0.5], opposite: [-3, 0] });
    const { results } = await library.search({ ranking: "meaning", phrases: ["[1, 0]"], topK: 3 });
    expect(results[0]?.hits).toEqual([
      { id: "same", distance: 0 },
      { id: "right", distance: 2 },
      { id: "opposite", distance: 4 },
    ]);
  });

  it("are numbers also for a zero vector, in the library and in the question", async () => {
    const library = await libraryAt({ nothing: [0, 0], something: [1, 0] });
    const { results } = await library.search({
      ranking: "meaning",
      phrases: ["[0, 0]", "[1, 0]"],
      topK: 2,
    });
    expect(results[0]?.hits).toEqual([
      { id: "nothing", distance: 0 },
      { id: "something", distance: 1 },
    ]);
    expect(results[1]?.hits).toEqual([
      { id: "something", distance: 0 },
      { id: "nothing", distance: 1 },
    ]);
  });
});

describe("the threshold", () => {
  it("keeps a hit only when its distance is strictly smaller", async () => {
    const library = await libraryAt({ same: [1, 0], right: [0, 1] });
    const found = async (threshold: number) => {
      const { results } = await library.search({
        ranking: "meaning",
        phrases: ["[1, 0]"],
        topK: 5,
        threshold,
      });
      return results[0]?.hits.map(({ id }) => id);
    };
    expect(await found(2)).toEqual(["same"]);
    expect(await found(2.001)).toEqual(["same", "right"]);
  });
});

describe("equally near tools", () => {
  it("come in the order of registration, also where topK cuts between them", async () => {
    const twins = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`twin${at}`, [1, 0]]));
    const library = await libraryAt({ far: [0, 1], ...twins });
    const { results } = await library.search({
      ranking: "meaning",
      phrases: ["[1, 1]", "[1, 0]"],
      topK: 3,
    });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["far", "twin0", "twin1"]);
    expect(results[1]?.hits.map(({ id }) => id)).toEqual(["twin0", "twin1", "twin2"]);
  });
});

describe("the answer", () => {
  it("has one result for each phrase as given, and embeds each different one once in one call", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    await library.sync({ origin: "o", fingerprint: "1", tools: [tool("add"), tool("divide")] });
    await library.search({ ranking: "meaning", phrases: ["warm up"], topK: 1 });
    const before = embeddings.calls.length;

    const { results, embeddingTokens } = await library.search({
      ranking: "meaning",
      phrases: ["divide it", "add", "divide it"],
      topK: 1,
    });
    expect(embeddings.calls.slice(before)).toEqual([["divide it", "add"]]);
    expect(results.map(({ phrase, hits }) => [phrase, hits[0]?.id])).toEqual([
      ["divide it", "divide"],
      ["add", "add"],
      ["divide it", "divide"],
    ]);
    expect(embeddingTokens).toBe(3 + 1);
  });

  it("is to abstain without a call of the model when the library is empty or the phrase is blank", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    const nothing = { results: [{ phrase: "add", hits: [], abstained: true }], embeddingTokens: 0 };
    expect(await library.search({ ranking: "meaning", phrases: ["add"], topK: 5 })).toEqual(
      nothing,
    );

    await library.sync({ origin: "o", fingerprint: "1", tools: [tool("add")] });
    embeddings.calls.length = 0;
    expect(
      (await library.search({ ranking: "meaning", phrases: [" "], topK: 5 })).results[0]?.abstained,
    ).toBe(true);
    expect(
      await library.search({ ranking: "meaning", phrases: ["add"], topK: 5, within: [] }),
    ).toEqual(nothing);
    expect(await library.search({ ranking: "meaning", phrases: [], topK: 5 })).toEqual({
      results: [],
      embeddingTokens: 0,
    });
    expect(embeddings.calls).toEqual([]);
  });

  it("stays within the tools that were named, and finds the nearest of them however far", async () => {
    const near = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`near${at}`, [1, at / 1000]]),
    );
    const library = await libraryAt({ ...near, far: [-1, 0.1], farther: [-1, 0] });
    const { results } = await library.search({
      ranking: "meaning",
      phrases: ["[1, 0]"],
      topK: 2,
      within: ["farther", "far", "near199", "unknown"],
    });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["near199", "far"]);
  });

  it("is an error for a number that makes no sense", async () => {
    const library = await libraryAt({ a: [1, 0] });
    for (const question of [
      { topK: 0 },
      { topK: 1.5 },
      { topK: 1, threshold: -1 },
      { topK: 1, threshold: Number.NaN },
    ]) {
      await expect(
        library.search({ ranking: "meaning", phrases: ["[1, 0]"], ...question }),
      ).rejects.toThrow(InvalidSetting);
    }
  });
});

describe("any search", () => {
  const DIMENSION = 3;
  const coordinate = fc.oneof(
    fc.constantFrom(-1, 0, 1),
    fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true }),
  );
  const vector = fc.array(coordinate, { minLength: DIMENSION, maxLength: DIMENSION });

  it("finds what comparing the phrase with every tool finds", async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(
        fc.array(vector, { minLength: 1, maxLength: 60 }),
        vector,
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.double({ min: 0.01, max: 4, noNaN: true }), { nil: undefined }),
        fc.option(fc.array(fc.nat(60), { maxLength: 20 }), { nil: undefined }),
        async (vectors, query, topK, threshold, picked) => {
          const library = await libraryAt(
            Object.fromEntries(vectors.map((at, index) => [`t${index}`, at])),
          );
          const within = picked?.map((index) => `t${index}`);
          const phrase = JSON.stringify(query);
          const { results } = await library.search({
            ranking: "meaning",
            phrases: [phrase],
            topK,
            threshold,
            within,
          });
          const all = vectors
            .map((at, position) => ({
              id: `t${position}`,
              position,
              distance: squaredDistance(at, query),
            }))
            .filter(({ id }) => within?.includes(id) ?? true);
          expectNearest({ hits: results[0]?.hits ?? [], all, topK, threshold: threshold ?? 5 });
          await shop.clear();
        },
      ),
      { numRuns: 20 },
    );
  });
});

/** FAISS computes with 32 bits, so distances may differ from ours by this much. */
const ROUNDING = 1e-5;

function expectNearest({
  hits,
  all,
  topK,
  threshold,
}: {
  hits: { id: string; distance: number }[];
  all: { id: string; position: number; distance: number }[];
  topK: number;
  threshold: number;
}): void {
  const expected = new Map(all.map((entry) => [entry.id, entry]));
  const ranks = hits.map((hit) => ({
    ...hit,
    position: expected.get(hit.id)?.position ?? Number.NaN,
  }));
  for (const { id, distance } of hits) {
    expect(Math.abs(distance - (expected.get(id)?.distance ?? Number.NaN))).toBeLessThan(ROUNDING);
    expect(distance).toBeLessThan(threshold);
  }
  const wrong = ranks.slice(1).filter(({ distance, position }, index) => {
    const before = ranks[index] ?? { distance: 0, position: 0 };
    return distance === before.distance
      ? position < before.position
      : distance < before.distance - ROUNDING;
  });
  expect(wrong).toEqual([]);

  const surely = all.filter(({ distance }) => distance < threshold - ROUNDING).length;
  expect(hits.length).toBeGreaterThanOrEqual(Math.min(topK, surely));
  expect(hits.length).toBeLessThanOrEqual(topK);
  const found = new Set(hits.map(({ id }) => id));
  const last = hits.length < topK ? threshold : (hits.at(-1)?.distance ?? 0);
  const overlooked = all.filter(({ id, distance }) => !found.has(id) && distance < last - ROUNDING);
  expect(overlooked).toEqual([]);
}

function squaredDistance(a: number[], b: number[]): number {
  const [unitA, unitB] = [toUnitLength(a), toUnitLength(b)];
  return unitA.reduce((sum, value, axis) => sum + (value - (unitB[axis] ?? 0)) ** 2, 0);
}

function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
