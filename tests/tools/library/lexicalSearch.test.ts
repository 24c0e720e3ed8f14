import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { fuseRankings } from "../../../tools/library/fusion.js";
import { lexicalIndex } from "../../../tools/library/lexical.js";
import type { ToolLibrary } from "../../../tools/library/library.js";
import { tool, workshop } from "./support.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";

const shop = workshop();
afterEach(shop.clear);

/** So many dimensions that different words hardly ever fall on one. */
const DIMENSIONS = 1024;

/** Word counts find texts that share most of their words; BM25 those that share rare ones. */
const TOOLS = [
  tool("send_email", { description: "sends a message to a person by email at once" }),
  tool("send_letter", { description: "sends a message to a person by post at once" }),
  tool("book", { description: "reserves zeppelin mooring masts" }),
];
const REQUEST = "to a person by email at once, or a zeppelin mooring mast";

function openAt(home: string): ToolLibrary {
  return shop.openLibrary({ home, embeddings: wordEmbeddings({ dimensions: DIMENSIONS }) });
}

async function libraryOf(tools = TOOLS) {
  const library = openAt(shop.newHome());
  await library.sync({ origin: "o", fingerprint: "1", tools });
  return library;
}

async function hitsOf(
  library: ToolLibrary,
  question: Partial<Parameters<typeof library.search>[0]>,
) {
  const { results } = await library.search({ phrases: [REQUEST], topK: 2, ...question });
  return results[0]?.hits ?? [];
}

const idsOf = async (...asked: Parameters<typeof hitsOf>) =>
  (await hitsOf(...asked)).map(({ id }) => id);

describe("a search with lexical evidence", () => {
  it("brings tools that share rare words, which one by distance alone does not", async () => {
    const library = await libraryOf();
    expect(await idsOf(library, {})).toEqual(["send_email", "send_letter"]);
    expect(await idsOf(library, { lexical: true })).toEqual(["send_email", "book"]);
  });

  it("gives each hit its own distance, also those that words alone have found", async () => {
    const library = await libraryOf();
    const all = await hitsOf(library, { topK: 3 });
    const hits = await hitsOf(library, { lexical: true });
    expect(hits).toHaveLength(2);
    for (const { id, distance } of hits) {
      expect(distance).toBeCloseTo(all.find((other) => other.id === id)?.distance ?? -1, 5);
    }
  });

  it("keeps the threshold for what words have found, too", async () => {
    const library = await libraryOf();
    const farthest = (await hitsOf(library, { topK: 3 })).at(-1)?.distance ?? 0;
    const threshold = farthest - 1e-3;
    expect(await idsOf(library, { lexical: true, threshold })).toEqual([
      "send_email",
      "send_letter",
    ]);
    const { results } = await library.search({
      phrases: [REQUEST],
      topK: 2,
      threshold: 1e-6,
      lexical: true,
    });
    expect(results[0]).toEqual({ phrase: REQUEST, hits: [], abstained: true });
  });

  it("stays among the tools that are allowed", async () => {
    const library = await libraryOf();
    const within = ["send_letter", "no such tool"];
    expect(await idsOf(library, { lexical: true, within })).toEqual(["send_letter"]);
  });

  it("looks at the names of parameters", async () => {
    const parameters = { type: "object" as const, properties: { altitude: {}, heading: {} } };
    const library = await libraryOf([
      ...TOOLS,
      tool("climb", { description: "goes up", parameters }),
    ]);
    const phrases = ["altitude or heading, to a person by email"];
    expect(await idsOf(library, { phrases })).not.toContain("climb");
    expect(await idsOf(library, { phrases, lexical: true })).toContain("climb");
  });

  it("knows of every change of the tools, whoever made it", async () => {
    const home = shop.newHome();
    const library = openAt(home);
    await library.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    const lexical = { lexical: true };
    expect(await idsOf(library, lexical)).toContain("book");
    const other = openAt(home);
    const changed = tool("book", { description: "reserves a seat" });
    const added = tool("moor", { description: "ties a zeppelin to its mooring mast" });
    await other.sync({
      origin: "o",
      fingerprint: "2",
      tools: [...TOOLS.slice(0, 2), changed, added],
    });
    expect(await idsOf(library, lexical)).toEqual(["send_email", "moor"]);
    await other.remove(["moor"]);
    expect(await idsOf(library, lexical)).toEqual(["send_email", "send_letter"]);
  });

  it("gives no tool twice and at most as many as wanted, in the order of the fused ranks", async () => {
    const words = fc.array(fc.constantFrom("red", "blue", "oak", "elm", "tall", "old"), {
      minLength: 1,
      maxLength: 5,
    });
    const texts = fc.array(words, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, words, fc.integer({ min: 1, max: 9 }), async (tools, query, topK) => {
        const definitions = tools.map((text, at) =>
          tool(`t${at}`, { description: text.join(" ") }),
        );
        const library = await libraryOf(definitions);
        const phrases = [query.join(" ")];
        const near = await idsOf(library, { phrases, topK });
        const sharing = lexicalIndex(definitions).search({ query: query.join(" "), depth: topK });
        const ids = await idsOf(library, { phrases, topK, lexical: true });
        expect(ids).toEqual(fuseRankings([near, sharing]).slice(0, topK));
        shop.clear();
      }),
      { numRuns: 25 },
    );
  });
});
