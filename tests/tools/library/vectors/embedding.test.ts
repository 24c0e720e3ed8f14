import { afterEach, describe, expect, it } from "vitest";
import { ModelFailed } from "../../../../common/errors.js";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import { toolText } from "../../../../tools/library/vectors/embedding.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { type WordEmbeddings, wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

function put(library: LibraryEditor, tools: ToolDefinition[], origin = "math.ts") {
  return library.sync({ origin, fingerprint: String(tools.length), tools });
}

function embeddedTexts({ calls }: WordEmbeddings): string[] {
  return calls.splice(0).flat();
}

const idsOf = (library: LibraryEditor) => library.list().map(({ id }) => id);

describe("embedding", () => {
  it("is done once for each text, whatever else changes", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    const first = await put(library, [tool("add"), tool("subtract")]);
    expect(embeddedTexts(embeddings)).toEqual([toolText(tool("add")), toolText(tool("subtract"))]);
    const characters = toolText(tool("add")).length;
    expect(first).toMatchObject({ embedded: 2 });
    expect(first.embeddingTokens).toBeGreaterThanOrEqual(characters / 4);

    const second = await put(library, [
      tool("add", { cost: 5 }),
      tool("subtract", { description: "New." }),
    ]);
    expect(second).toMatchObject({ updated: ["add", "subtract"], embedded: 1 });
    expect(embeddedTexts(embeddings)).toEqual([
      toolText(tool("subtract", { description: "New." })),
    ]);

    await put(library, []);
    expect(await put(library, [tool("add")])).toMatchObject({ embedded: 0, embeddingTokens: 0 });
    expect(embeddedTexts(embeddings)).toEqual([]);
  });

  it("waits for the first search if it is not wanted earlier", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    const tools = [tool("add"), tool("subtract")];
    const wanted = { origin: "math.ts", fingerprint: "1", tools, embed: false };
    expect(await library.sync(wanted)).toMatchObject({ added: ["add", "subtract"], embedded: 0 });
    expect(embeddedTexts(embeddings)).toEqual([]);
    const { results } = await library.search({ phrases: ["subtract"], topK: 1 });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["subtract"]);
    expect(embeddedTexts(embeddings).toSorted()).toEqual(
      ["subtract", ...tools.map(toolText)].toSorted(),
    );
  });

  it("leaves out conflicts, and is done in batches of up to 128", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    await put(library, [tool("add")], "first.ts");
    const many = Array.from({ length: 300 }, (_, index) => tool(`tool${index}`));
    embeddings.calls.length = 0;
    await put(library, [tool("add", { description: "Another." }), ...many], "second.ts");
    expect(embeddings.calls.map(({ length }) => length)).toEqual([8, 8, 16, 32, 64, 128, 44]);
  });

  it("that fails half-way leaves the old revision intact and keeps what was paid for", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    await put(library, [tool("add")]);
    const many = Array.from({ length: 300 }, (_, index) => tool(`tool${index}`));
    const works = embeddings.embedDocuments.bind(embeddings);
    let calls = 0;
    embeddings.embedDocuments = async (texts) => {
      calls += 1;
      if (calls === 2) throw new Error("the line is down");
      return await works(texts);
    };
    await expect(put(library, many)).rejects.toThrow("the line is down");
    expect(idsOf(library)).toEqual(["add"]);
    expect(library.revision).toBe(1);
    const { results } = await library.search({ phrases: ["add"], topK: 5 });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["add"]);

    expect(await put(library, many)).toMatchObject({ embedded: 292, removed: ["add"] });
  });

  it("is an error when the model's vectors are too few, of several lengths or no numbers", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings });
    for (const vectors of [
      [[1, 0]],
      [[1, 0], [1]],
      [
        [1, 0],
        [1, Number.NaN],
      ],
      [[], []],
    ]) {
      embeddings.embedDocuments = async () => vectors;
      await expect(put(library, [tool("add"), tool("subtract")])).rejects.toThrow(ModelFailed);
    }
    expect(library.size).toBe(0);
  });
});

describe("a change of the embedding model", () => {
  const question = { phrases: ["add"], topK: 1 };

  it("embeds all tools again at the next search, and costs nothing when it is undone", async () => {
    const home = shop.newHome();
    const words = wordEmbeddings();
    const other = wordEmbeddings({ dimensions: 32 });
    const inWords = await shop.openLibrary({ home, embeddings: words });
    await put(inWords, [tool("add"), tool("subtract")]);
    await inWords.search(question);

    const inOther = await shop.openLibrary({
      home,
      embeddings: other,
      embeddingModel: "fake:other",
    });
    const switched = await inOther.search(question);
    expect(switched.results[0]?.hits[0]?.id).toBe("add");
    expect(switched.embeddingTokens).toBeGreaterThan(1);
    expect(embeddedTexts(other)).toEqual(["add", ...[tool("add"), tool("subtract")].map(toolText)]);

    embeddedTexts(words);
    expect(
      (await (await shop.openLibrary({ home, embeddings: words })).search(question))
        .embeddingTokens,
    ).toBe(1);
    expect(embeddedTexts(words)).toEqual(["add"]);
    expect((await inOther.search(question)).embeddingTokens).toBe(1);
  });

  it("to a model whose vectors change length is an error, not an endless loop", async () => {
    const fickle = wordEmbeddings();
    let length = 2;
    fickle.embedDocuments = async (texts) => {
      length += 1;
      return texts.map(() => Array.from({ length }, () => 1));
    };
    const library = await shop.openLibrary({ embeddings: fickle });
    await put(library, [tool("add")]);
    await expect(library.search(question)).rejects.toThrow(ModelFailed);
  });
});

describe("a model that embeds queries and documents differently", () => {
  it("is given phrases as queries and tools as documents", async () => {
    const queries: string[][] = [];
    const words = wordEmbeddings();
    const embeddings = Object.assign(wordEmbeddings(), {
      embedQueries: (texts: string[]) => {
        queries.push(texts);
        return words.embedDocuments(texts);
      },
    });
    const library = await shop.openLibrary({ embeddings });
    await put(library, [tool("add")]);
    await library.search({ phrases: ["sum", "total"], topK: 1 });
    expect(queries).toEqual([["sum", "total"]]);
    expect(embeddedTexts(embeddings)).toEqual([toolText(tool("add"))]);
  });
});
