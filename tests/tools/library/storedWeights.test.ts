import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../storage/sqlite.js";
import { LIBRARY_MIGRATIONS } from "../../../tools/library/schema.js";
import { EVIDENCE, weightsOf } from "../../../tools/library/searchWeights.js";
import { tool, workshop } from "./support.js";

const { newHome, openLibrary, clear } = workshop();
afterEach(clear);

const USUAL = weightsOf("fake:words");
const LEARNED = { weights: { ...USUAL, near: 9, floor: 0.5 }, requests: 70 };

describe("the weights of a library", () => {
  it("are those learned for it and its embedding model, for everybody who opens it", async () => {
    const home = newHome();
    const library = await openLibrary({ home });
    expect(library.weights).toEqual(USUAL);
    expect(await library.saveWeights(LEARNED)).toMatchObject({ model: "fake:words", requests: 70 });
    expect((await openLibrary({ home })).weights).toEqual(LEARNED.weights);
    expect((await openLibrary({ home, thread: "one" })).weights).toEqual(LEARNED.weights);
    expect((await openLibrary({ home, embeddingModel: "fake:others" })).weights).toEqual(USUAL);
    expect((await openLibrary({ home, name: "another" })).weights).toEqual(USUAL);
  });

  it("are the usual ones again once they are removed", async () => {
    const library = await openLibrary();
    await library.saveWeights(LEARNED);
    expect([await library.removeWeights(), await library.removeWeights()]).toEqual([true, false]);
    expect(library.weights).toEqual(USUAL);
  });

  it("rank what its searches find, unless a search brings its own", async () => {
    const library = await openLibrary();
    const tools = [
      tool("far", { description: "colour of the sky" }),
      tool("near", { description: "colour of the deep sea" }),
    ];
    await library.sync({ origin: "file", fingerprint: "", tools });
    const nothing = { near: 0, nearPart: 0, words: 0, name: 0, description: 0, provider: 0 };
    const byName = { ...USUAL, ...nothing, name: 1 };
    await library.saveWeights({ weights: byName, requests: 70 });
    const first = async (weights = library.weights) => {
      const phrases = ["far colour of the deep sea"];
      const { results } = await library.search({ phrases, topK: 1, weights });
      return results[0]?.hits[0]?.id;
    };
    expect(await first()).toBe("far");
    expect(await first({ ...USUAL, ...nothing, near: 1 })).toBe("near");
  });

  it.each([
    "{ torn",
    "null",
    '{"near":1}',
    JSON.stringify({ ...USUAL, near: -1 }),
    JSON.stringify({ ...USUAL, fields: { name: 1 } }),
  ])("are the usual ones where the database holds %s", async (weights) => {
    const home = newHome();
    const library = await openLibrary({ home });
    await library.saveWeights(LEARNED);
    const file = join(home, "libraries.db");
    const database = openDatabase({ file, migrations: LIBRARY_MIGRATIONS });
    database.prepare("UPDATE search_weights SET weights = ?").run(weights);
    database.close();
    expect(library.weights).toEqual(USUAL);
  });
});

describe("an explained search", () => {
  it("says what scores are made of", async () => {
    const library = await openLibrary();
    const tools = [tool("sky", { description: "colour of the sky" }), tool("sum")];
    await library.sync({ origin: "file", fingerprint: "", tools });
    const question = { phrases: ["the sky"], topK: 2 };
    const explained = await library.search({ ...question, explain: true });
    for (const { score, evidence } of explained.results[0]?.hits ?? []) {
      const sum = EVIDENCE.reduce(
        (total, kind) => total + (evidence?.[kind] ?? 0) * USUAL[kind],
        0,
      );
      expect(score).toBeCloseTo(sum);
    }
    expect(explained.results[0]?.hits[0]?.evidence).toMatchObject({ name: 1, provider: 0 });
    const plain = await library.search(question);
    expect(plain.results[0]?.hits[0]).not.toHaveProperty("evidence");
  });
});
