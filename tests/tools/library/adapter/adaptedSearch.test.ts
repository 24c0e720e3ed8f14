import { afterEach, describe, expect, it } from "vitest";
import { identityMatrix } from "../../../../tools/library/adapter/matrix.js";
import { toolAt, vectorEmbeddings, workshop } from "../support.js";
import { directions, randomNumbers } from "./support.js";

const shop = workshop();
afterEach(shop.clear);

const EMBEDDINGS = vectorEmbeddings();

/** Turns every request into its opposite in the second coordinate. */
const MIRROR = {
  dimension: 2,
  weights: [Float64Array.of(1, 0), Float64Array.of(0, -1)],
  requests: 12,
};

const GRID = { ahead: [1, 0], left: [0.8, 0.6], right: [0.8, -0.6], behind: [-1, 0] };

async function gridLibrary({ home = shop.newHome(), model = "fake:vectors" } = {}) {
  const library = await shop.openLibrary({ home, embeddings: EMBEDDINGS, embeddingModel: model });
  const tools = Object.entries(GRID).map(([id, vector]) => toolAt(id, vector));
  await library.sync({ origin: "grid", fingerprint: "1", tools });
  return library;
}

type Library = Awaited<ReturnType<typeof gridLibrary>>;

async function found(library: Library, question: { topK: number; threshold?: number }) {
  const { results } = await library.search({
    ranking: "meaning",
    phrases: ["[0.8, 0.6]"],
    ...question,
  });
  return results[0];
}

function byId(hits: { id: string }[] = []) {
  return hits.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function idsOf(library: Library, topK = 4) {
  return (await found(library, { topK }))?.hits.map(({ id }) => id);
}

describe("a library with an adapter", () => {
  it("gives its order, with the plain distances", async () => {
    const library = await gridLibrary();
    const plain = await found(library, { topK: 4 });
    expect(plain?.hits.map(({ id }) => id)).toEqual(["left", "ahead", "right", "behind"]);
    await library.saveAdapter(MIRROR);
    const adapted = await found(library, { topK: 4 });
    expect(adapted?.hits.map(({ id }) => id)).toEqual(["right", "ahead", "left", "behind"]);
    expect(byId(adapted?.hits)).toEqual(byId(plain?.hits));
  });

  it("abstains exactly where it would without one", async () => {
    const library = await gridLibrary();
    const thresholds = [1e-9, 0.3, 0.5, 1, 2, 4];
    const kept = async () => {
      const results = [];
      for (const threshold of thresholds) {
        const result = await found(library, { topK: 9, threshold });
        results.push([result?.abstained, result?.hits.map(({ id }) => id).toSorted()]);
      }
      return results;
    };
    const plain = await kept();
    await library.saveAdapter(MIRROR);
    expect(await kept()).toEqual(plain);
  });

  it("searches as before once the adapter is removed, and with the identity", async () => {
    const library = await shop.openLibrary({
      embeddings: EMBEDDINGS,
      embeddingModel: "fake:vectors",
    });
    const random = randomNumbers(3);
    const vectors = directions({ count: 150, dimension: 6, random }).map((vector) => [...vector]);
    const tools = vectors.map((vector, at) => toolAt(`tool${at}`, vector));
    await library.sync({ origin: "many", fingerprint: "1", tools });
    const phrases = directions({ count: 5, dimension: 6, random }).map((vector) =>
      JSON.stringify([...vector]),
    );
    const ask = async () =>
      (await library.search({ ranking: "meaning", phrases, topK: 120, threshold: 2.2 })).results;
    const plain = await ask();
    await library.saveAdapter({ dimension: 6, weights: identityMatrix(6), requests: 1 });
    expect(await ask()).toEqual(plain);
    expect(await library.removeAdapters()).toBe(1);
    expect(await ask()).toEqual(plain);
    expect(await library.removeAdapters()).toBe(0);
  });

  it("uses at once what another process has trained or removed", async () => {
    const home = shop.newHome();
    const library = await gridLibrary({ home });
    const trainer = await gridLibrary({ home });
    const first = await trainer.saveAdapter(MIRROR);
    expect(await idsOf(library, 1)).toEqual(["right"]);
    await trainer.removeAdapters();
    expect(await idsOf(library, 1)).toEqual(["left"]);
    const second = await trainer.saveAdapter({
      ...MIRROR,
      weights: [Float64Array.of(-1, 0), Float64Array.of(0, -1)],
    });
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(await idsOf(library, 1)).toEqual(["behind"]);
  });

  it("ranks tools by their present text, and only those that are allowed", async () => {
    const library = await gridLibrary();
    await library.saveAdapter(MIRROR);
    const { right: _, ...others } = GRID;
    const tools = Object.entries({ ...others, late: [0.6, -0.8] });
    await library.sync({
      origin: "grid",
      fingerprint: "2",
      tools: tools.map(([id, vector]) => toolAt(id, vector)),
    });
    expect(await idsOf(library)).toEqual(["late", "ahead", "left", "behind"]);
    const within = ["left", "behind"];
    const { results } = await library.search({
      ranking: "meaning",
      phrases: ["[0.8, 0.6]"],
      topK: 3,
      within,
    });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["left", "behind"]);
  });
});
