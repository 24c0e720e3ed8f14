import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { LibraryFailed } from "../../../../common/errors.js";
import { toolText } from "../../../../tools/library/vectors/embedding.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { generated, note, tool, workshop } from "../support.js";

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
  it("is opened by LangChain's own FaissStore in a program that knows nothing of this project", async () => {
    const home = shop.newHome();
    await searchedLibrary(home);
    const [folder = ""] = savedIndexes(home);
    const vector = (await wordEmbeddings().embedDocuments(["add"]))[0];
    const program = `
      import { FaissStore } from "@langchain/community/vectorstores/faiss";
      const store = await FaissStore.load(${JSON.stringify(folder)}, {});
      const found = await store.similaritySearchVectorWithScore(${JSON.stringify(vector)}, 2);
      console.log(JSON.stringify(found.map(([{ pageContent, metadata }]) => [pageContent, metadata])));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      program,
    ]);
    const owner = { library: "tools", model: "fake:words" };
    expect(JSON.parse(stdout)).toEqual([
      [toolText(tool("add")), { ...owner, tool: "add" }],
      [toolText(tool("divide")), { ...owner, tool: "divide" }],
    ]);
  });

  it("takes the place of the former one, and what earlier versions and dead processes left is removed", async () => {
    const home = shop.newHome();
    const library = await searchedLibrary(home);
    const saved = savedIndexes(home);
    expect(saved).toEqual([expect.stringMatching(/\/1-tools\/fake-words-[0-9a-f]{8}-64$/)]);
    const folder = join(home, "indexes", "1-tools");
    for (const name of ["1-fake-words-00000000-64", "unfinished-abandoned", "unfinished-fresh"])
      mkdirSync(join(folder, name));
    utimesSync(join(folder, "unfinished-abandoned"), new Date(0), new Date(0));

    await library.sync({ origin: "o", fingerprint: "2", tools: [tool("add")] });
    await library.search({ phrases: ["add"], topK: 1 });
    expect(savedIndexes(home)).toEqual([...saved, join(folder, "unfinished-fresh")]);
    const documents = readFileSync(join(saved[0] ?? "", "docstore.json"), "utf8");
    expect(documents).not.toContain("divide");
  });

  it.each(["faiss.index", "docstore.json", "index.json"])(
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

  it("is brought up to date in memory, and written again once a thousandth of its tools has changed", async () => {
    const home = shop.newHome();
    const library = await shop.openLibrary({ home });
    const tools = Array.from({ length: 1200 }, (_, at) => tool(`add${at}`));
    await library.sync({ origin: "o", fingerprint: "0", tools });
    await library.search({ phrases: ["add"], topK: 1 });
    const savedAt = () => statSync(join(savedIndexes(home)[0] ?? "", "index.json")).ino;
    const first = savedAt();
    for (const [id, isSaved] of [
      ["halve", false],
      ["double", true],
    ] as const) {
      await library.put({ tool: generated(id), basedOn: null, note: note("wanted") });
      const { results } = await library.search({ phrases: [id], topK: 9 });
      expect(results[0]?.hits[0]?.id).toBe(id);
      expect(savedAt() !== first).toBe(isSaved);
      const afresh = await (await shop.openLibrary({ home })).search({ phrases: [id], topK: 9 });
      expect(afresh.results).toEqual(results);
    }
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
