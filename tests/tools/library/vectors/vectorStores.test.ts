import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { FaissStore } from "@langchain/community/vectorstores/faiss";
import type { VectorStore } from "@langchain/core/vectorstores";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InvalidSetting, LibraryFailed } from "../../../../common/errors.js";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import { ExactStore } from "../../../../tools/library/vectors/vectorStore.js";
import { SafeFaissStore } from "../../../../tools/library/vectors/faissStore.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { generated, note, tool, workshop } from "../support.js";

const shop = workshop();
afterEach(async () => {
  vi.unstubAllEnvs();
  await shop.clear();
});

const TOOLS = Array.from({ length: 30 }, (_, at) => tool(`send_letter_${at}`));

/** One whose scores grow with nearness, which replaces and deletes nothing; and two whose scores shrink with it. */
const STORES: [string, () => VectorStore][] = [
  ["store for those who lack FAISS", () => new ExactStore(wordEmbeddings(), {})],
  ["MemoryVectorStore", () => new MemoryVectorStore(wordEmbeddings())],
  ["FaissStore", () => new FaissStore(wordEmbeddings(), {})],
];

async function foundBy(library: LibraryEditor, phrase = "send letter 7") {
  const { results } = await library.search({ phrases: [phrase], topK: 99, ranking: "meaning" });
  return results[0]?.hits;
}

describe.each(STORES)("a %s that is handed in", (_name, makeStore) => {
  it("finds what FAISS finds at the same distances, after any changes", async () => {
    const store = makeStore();
    const search = vi.spyOn(store, "similaritySearchVectorWithScore");
    const given = await shop.openLibrary({ vectorStore: store });
    const own = await shop.openLibrary();
    for (const library of [given, own]) {
      await library.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
      await foundBy(library);
      const changed = tool("send_letter_1", { description: "Sends letter 7 by hand." });
      const tools = [changed, ...TOOLS.slice(2)];
      await library.sync({ origin: "o", fingerprint: "2", tools });
      await foundBy(library);
      await library.put({ tool: generated("seal_letter"), basedOn: null, note: note("wanted") });
    }
    expect(await foundBy(given)).toEqual(await foundBy(own));
    expect(search.mock.calls.length).toBeGreaterThan(0);
    expect((await foundBy(given))?.map(({ id }) => id)).not.toContain("send_letter_0");
  });

  it("is given each tool once, by whichever process opens the library first", async () => {
    const home = shop.newHome();
    const store = makeStore();
    const add = vi.spyOn(store, "addVectors");
    const first = await shop.openLibrary({ home, vectorStore: store });
    await first.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    const hits = await foundBy(first);
    const later = await shop.openLibrary({ home, vectorStore: store });
    expect(await foundBy(later)).toEqual(hits);
    await later.put({ tool: generated("seal_letter"), basedOn: null, note: note("wanted") });
    await foundBy(later);
    expect(add.mock.calls.map(([vectors]) => vectors.length)).toEqual([30, 1]);
  });

  it("that is empty is filled again, whatever is known of a former one", async () => {
    const home = shop.newHome();
    const first = await shop.openLibrary({ home, vectorStore: makeStore() });
    await first.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    const hits = await foundBy(first);
    expect(hits).toHaveLength(30);
    expect(await foundBy(await shop.openLibrary({ home, vectorStore: makeStore() }))).toEqual(hits);
  });

  it("may hold several libraries, each of which finds its own tools", async () => {
    const vectorStore = makeStore();
    const home = shop.newHome();
    const one = await shop.openLibrary({ home, vectorStore, name: "one" });
    const other = await shop.openLibrary({ home, vectorStore, name: "other" });
    await one.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    await other.sync({ origin: "o", fingerprint: "1", tools: [tool("send_letter_7")] });
    expect(await foundBy(one)).toHaveLength(30);
    expect((await foundBy(other))?.map(({ id }) => id)).toEqual(["send_letter_7"]);
  });
});

describe("a vector store that is handed in", () => {
  it("may come from a function, which is told of the library, and is not asked by words alone", async () => {
    const asked: unknown[] = [];
    const embeddings = wordEmbeddings();
    const store = new MemoryVectorStore(embeddings);
    const search = vi.spyOn(store, "similaritySearchVectorWithScore");
    const vectorStore = (of: object) => {
      asked.push(of);
      return store;
    };
    const library = await shop.openLibrary({ embeddings, vectorStore });
    await library.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    await library.search({ phrases: ["send letter 7"], topK: 3, ranking: "words" });
    expect(search).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
    await foundBy(library);
    const of = { library: "tools", embeddings, embeddingModel: "fake:words", dimension: 64 };
    expect(asked).toEqual([of]);
  });

  it("that fails is an error that names it", async () => {
    const store = new MemoryVectorStore(wordEmbeddings());
    vi.spyOn(store, "addVectors").mockRejectedValue(new Error("connection refused"));
    const library = await shop.openLibrary({ vectorStore: store });
    await library.sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    const searching = foundBy(library);
    await expect(searching).rejects.toThrow(LibraryFailed);
    await expect(searching).rejects.toThrow(
      "tools: its vector store (memory) failed: connection refused",
    );
  });

  it.each([
    ["is missing", undefined, "cannot be loaded"],
    ["exports something else", "export const store = 1;", "exports no vector store as default"],
  ])("is refused if its module %s", async (_case, text, problem) => {
    const file = join(shop.newHome(), "store.mjs");
    if (text) writeFileSync(file, text);
    vi.stubEnv("TULIPGRAPH_VECTOR_STORE", file);
    const opening = shop.openLibrary();
    await expect(opening).rejects.toThrow(InvalidSetting);
    await expect(opening).rejects.toThrow(`${file} ${problem}`);
  });
});

describe("FaissStore as it is used here", () => {
  const embeddings = wordEmbeddings({ dimensions: 2 });
  let store: SafeFaissStore;
  beforeEach(() => {
    store = new SafeFaissStore(embeddings);
  });

  async function put(id: string, vector: number[]): Promise<void> {
    await store.addVectors([vector], [{ pageContent: id, metadata: { tool: id } }], { ids: [id] });
  }

  async function foundBy(query: number[], searched: FaissStore = store): Promise<string[]> {
    const found = await searched.similaritySearchVectorWithScore(query, 9);
    return found.map(([{ pageContent }]) => pageContent);
  }

  it("finds nothing while it is empty, at first and later", async () => {
    expect(await foundBy([1, 0])).toEqual([]);
    await put("one", [1, 0]);
    await store.delete({ ids: ["one"] });
    expect(await foundBy([1, 0])).toEqual([]);
  });

  it("goes on after a document was added whose id was there, and after unknown ones were deleted", async () => {
    await put("one", [1, 0]);
    await put("one", [0, 1]);
    await store.delete({ ids: ["unknown"] });
    await put("two", [0.5, 0]);
    expect(new Set(await foundBy([1, 0]))).toEqual(new Set(["one", "two"]));
  });

  it("finds after it was saved and loaded what it found before, and can be changed then", async () => {
    await put("one", [1, 0]);
    await put("two", [0, 1]);
    const folder = shop.newHome();
    await store.save(folder);
    expect(await foundBy([0, 1], await FaissStore.load(folder, embeddings))).toEqual([
      "two",
      "one",
    ]);
    store = await SafeFaissStore.load(folder, embeddings);
    await store.delete({ ids: ["two"] });
    await put("three", [0, 0.9]);
    expect(await foundBy([0, 1])).toEqual(["three", "one"]);
  });
});
