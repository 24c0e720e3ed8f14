import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LibraryFailed } from "../../../../common/errors.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { forgetVectors, tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

async function searchedLibrary(home: string) {
  const library = await shop.openLibrary({ home });
  await library.sync({ origin: "o", fingerprint: "1", tools: [tool("add"), tool("divide")] });
  await library.search({ phrases: ["add"], topK: 1 });
  return library;
}

/** Searches through a new handle, so that nothing is in memory yet. */
async function searchAfresh(home: string) {
  const embeddings = wordEmbeddings();
  const { results } = await (
    await shop.openLibrary({ home, embeddings })
  ).search({ phrases: ["add"], topK: 9 });
  const hits = results[0]?.hits;
  return { ids: hits?.map(({ id }) => id), hits, calls: embeddings.calls };
}

function savedIndexes(home: string): string[] {
  const folder = join(home, "indexes", "1-tools");
  return readdirSync(folder).map((entry) => join(folder, entry));
}

describe("a saved index", () => {
  it("is searched without reading any vector from the database", async () => {
    const home = shop.newHome();
    await searchedLibrary(home);
    forgetVectors(home);
    expect(await searchAfresh(home)).toMatchObject({ ids: ["add", "divide"], calls: [["add"]] });
  });

  it("is replaced by that of the next revision, and those left unfinished long ago are removed", async () => {
    const home = shop.newHome();
    const library = await searchedLibrary(home);
    const [first] = savedIndexes(home);
    expect(first).toMatch(/\/1-fake-words-[0-9a-f]{8}-64$/);
    const abandoned = join(home, "indexes", "1-tools", "unfinished-1-abandoned");
    const fresh = join(home, "indexes", "1-tools", "unfinished-1-fresh");
    for (const folder of [abandoned, fresh]) mkdirSync(folder);
    utimesSync(abandoned, new Date(0), new Date(0));

    await library.sync({ origin: "o", fingerprint: "2", tools: [tool("add")] });
    await library.search({ phrases: ["add"], topK: 1 });
    const left = savedIndexes(home);
    expect(left).toHaveLength(2);
    expect(left).toContain(fresh);
    expect(left.some((folder) => folder.includes("/2-fake-words-"))).toBe(true);
  });

  it.each(["faiss.index", "tools.json", "index.json"])(
    "is rebuilt when its %s is torn, empty, foreign, altered or missing",
    async (file) => {
      const home = shop.newHome();
      await searchedLibrary(home);
      const [folder] = savedIndexes(home);
      const path = join(folder ?? "", file);
      const whole = readFileSync(path);
      const foreign = Buffer.from(whole);
      foreign.writeInt32LE(2_000_000_000, 4);
      const altered = Buffer.from(whole);
      altered.writeUInt8(altered.readUInt8(whole.length - 2) ^ 1, whole.length - 2);
      const { hits } = await searchAfresh(home);
      const torn = whole.subarray(0, whole.length / 2);
      for (const content of [torn, Buffer.alloc(0), foreign, altered, undefined]) {
        if (content) writeFileSync(path, content);
        else rmSync(path);
        expect((await searchAfresh(home)).hits).toEqual(hits);
        expect(readFileSync(path)).toHaveLength(whole.length);
      }
      expect(savedIndexes(home)).toHaveLength(1);
    },
  );

  it("is brought up to date in memory, and not written again for a few changes", async () => {
    const home = shop.newHome();
    const library = await shop.openLibrary({ home });
    const tools = Array.from({ length: 20 }, (_, at) => tool(`add${at}`));
    await library.sync({ origin: "o", fingerprint: "1", tools });
    await library.search({ phrases: ["add"], topK: 1 });
    const saved = savedIndexes(home);
    const changed = [tool("add"), ...tools.slice(1)];
    await library.sync({ origin: "o", fingerprint: "2", tools: changed });
    const { results } = await library.search({ phrases: ["add"], topK: 99 });
    const ids = changed.map(({ id }) => id).toSorted();
    expect(results[0]?.hits.map(({ id }) => id).toSorted()).toEqual(ids);
    expect((await searchAfresh(home)).hits).toEqual(results[0]?.hits.slice(0, 9));
    expect(savedIndexes(home)).toEqual(saved);
  });

  it("is not used for a database that was restored from a copy", async () => {
    const home = shop.newHome();
    const tools = Array.from({ length: 20 }, (_, at) => tool(`add${at}`));
    const before = await shop.openLibrary({ home });
    await before.sync({ origin: "o", fingerprint: "1", tools });
    const copy = shop.newHome();
    cpSync(home, copy, { recursive: true });
    await before.sync({ origin: "o", fingerprint: "2", tools: [...tools, tool("subtract")] });
    await before.search({ phrases: ["add"], topK: 1 });

    cpSync(join(home, "indexes"), join(copy, "indexes"), { recursive: true });
    const putBack = await shop.openLibrary({ home: copy });
    await putBack.sync({ origin: "o", fingerprint: "2", tools: [...tools, tool("divide")] });
    const { results } = await putBack.search({ phrases: ["divide"], topK: 99 });
    expect(results[0]?.hits.map(({ id }) => id)).toContain("divide");
    expect(results[0]?.hits.map(({ id }) => id)).not.toContain("subtract");
  });

  it("that cannot be written is an error that names the folder", async () => {
    const home = shop.newHome();
    const library = await shop.openLibrary({ home });
    await library.sync({ origin: "o", fingerprint: "1", tools: [tool("add")] });
    writeFileSync(join(home, "indexes"), "a file in the way");
    const searching = library.search({ phrases: ["add"], topK: 1 });
    await expect(searching).rejects.toThrow(LibraryFailed);
    await expect(searching).rejects.toThrow(join(home, "indexes", "1-tools"));

    rmSync(join(home, "indexes"));
    const { results } = await library.search({ phrases: ["add"], topK: 1 });
    expect(results[0]?.abstained).toBe(false);
  });
});

describe("searches at the same time", () => {
  it("make the index, and embed what it lacks, once", async () => {
    const home = shop.newHome();
    await searchedLibrary(home);
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ home, embeddings, embeddingModel: "fake:second" });
    const searching = Array.from({ length: 8 }, async () =>
      library.search({ phrases: ["add"], topK: 1 }),
    );
    const answers = await Promise.all(searching);
    expect(embeddings.calls.filter((texts) => texts.length === 2)).toHaveLength(1);
    expect(answers.filter(({ embeddingTokens }) => embeddingTokens > 1)).toHaveLength(1);
    expect(answers.every(({ results }) => results[0]?.hits[0]?.id === "add")).toBe(true);
  });
});
