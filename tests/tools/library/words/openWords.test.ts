import type { LibraryPlace, LibraryWriter } from "../../../../tools/library/records/records.js";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../storage/sqlite/sqlite.js";
import { LIBRARY_MIGRATIONS } from "../../../../tools/library/records/schema.js";
import { openLibraryStore } from "../../../../tools/library/store.js";
import { readRequest } from "../../../../tools/library/search/request.js";
import { wordsOpener } from "../../../../tools/library/words/openWords.js";
import { wordScorer } from "../../../../tools/library/words/wordScores.js";
import { hasWords, rebuildWords } from "../../../../tools/library/words/wordTable.js";
import { WORD_FIELDS, termsOf, toolWords } from "../../../../tools/library/words/words.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { declared } from "../../../eval/retrieval/support.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const WORDS = ["red", "blue", "oak", "elm", "tall", "old"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });

function openAt(home: string) {
  return shop.openLibrary({ home, embeddings: wordEmbeddings({ dimensions: 64 }) });
}

function opener(place: LibraryPlace) {
  const write: LibraryWriter = async (work) =>
    place.database.transaction(() => work(place)).immediate();
  return wordsOpener({ place: () => place, write });
}

/** What the database has of the words of its only library. */
async function wordsIn(home: string) {
  const file = join(home, "libraries.db");
  const database = openDatabase({ file, migrations: LIBRARY_MIGRATIONS });
  const place = { database, library: 1 };
  const words = await opener(place)();
  const rows = database.prepare("SELECT rowid, * FROM tool_words ORDER BY rowid").all();
  const state = { rows, having: words.countHaving(WORDS) };
  return { database, place, words, state, isCurrent: hasWords(place) };
}

describe("the words of a library in the database", () => {
  it("follow every change of its tools as if they were rebuilt", async () => {
    const change = fc.oneof(
      fc.record({ ids: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), text }),
      fc.record({ remove: fc.integer({ min: 0, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const home = shop.newHome();
        const library = await openAt(home);
        let tools: ToolDefinition[] = [];
        for (const [at, one] of changes.entries()) {
          if ("remove" in one) tools = tools.filter(({ id }) => id !== `t${one.remove}`);
          else {
            const fresh = [...new Set(one.ids)].map((id) =>
              tool(`t${id}`, { description: one.text.join(" ") }),
            );
            const ids = new Set(fresh.map(({ id }) => id));
            tools = [...tools.filter(({ id }) => !ids.has(id)), ...fresh];
          }
          await library.sync({ origin: "o", fingerprint: `${at}`, tools });
        }
        const { database, place, state, isCurrent } = await wordsIn(home);
        expect(isCurrent).toBe(true);
        expect(state.rows).toHaveLength(tools.length);
        database.transaction(() => rebuildWords(place)).immediate();
        const anew = await wordsIn(home);
        expect(anew.state).toEqual(state);
        anew.database.close();
        database.close();
        await shop.clear();
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ["an older version", "UPDATE libraries SET words = words - 1"],
    ["nobody", "UPDATE libraries SET words = NULL"],
  ])("are read anew where they were left by %s", async (_, statement) => {
    const home = shop.newHome();
    const library = await openAt(home);
    await library.sync({ origin: "o", fingerprint: "1", tools: [tool("oak"), tool("elm")] });
    const { database } = await wordsIn(home);
    database.exec(statement);
    database.exec("DELETE FROM tool_words");
    database.close();
    const { results } = await (
      await openAt(home)
    ).search({ phrases: ["elm"], topK: 1, ranking: "words" });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["elm"]);
    const after = await wordsIn(home);
    expect(after.isCurrent).toBe(true);
    after.database.close();
  });
});

describe("libraries in one file", () => {
  it("do not count for each other, and leave no words behind when they are deleted", async () => {
    const home = shop.newHome();
    const library = await openAt(home);
    await library.sync({ origin: "o", fingerprint: "1", tools: [tool("oak"), tool("elm")] });
    const { database, words } = await wordsIn(home);
    const store = openLibraryStore({ home });
    const model = { embeddings: wordEmbeddings({ dimensions: 64 }), embeddingModel: "a:b" };
    const other = await store.open({ name: "other", create: true, ...model });
    await other.sync({ origin: "o", fingerprint: "1", tools: [tool("oak"), tool("ash")] });
    expect(words.countHaving(["oak", "ash"])).toEqual(new Map([["oak", 1]]));
    expect(words.best(new Map([["ash", 1]]), 5)).toEqual([]);
    await store.delete("other");
    await store.close();
    expect(database.prepare("SELECT count(*) FROM tool_words").pluck().get()).toBe(2);
    database.close();
  });
});

describe("scores by words", () => {
  it("are BM25 over the words of the fields, each times its weight", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        text,
        async (texts, query) => {
          const home = shop.newHome();
          const tools = texts.map((words, at) => declared(`t${at}`, words.join(" ")));
          await (await openAt(home)).sync({ origin: "o", fingerprint: "1", tools });
          const { database, words } = await wordsIn(home);
          const terms = new Map(query.map((word) => [word, 1]));
          const positions = tools.map((_, at) => at + 1);
          const scored = wordScorer({ libraries: [words], request: { ...readRequest(""), terms } });
          const evidence = scored(words.read(positions));
          const expected = bm25({ tools, query, weight: WORD_FIELDS.description.weight });
          expect(words.best(terms, 10).length).toBe(expected.filter((score) => score > 0).length);
          const ranked = positions
            .toSorted(
              (one, other) => (evidence.get(other)?.words ?? 0) - (evidence.get(one)?.words ?? 0),
            )
            .map((position) => expected[position - 1] ?? 0);
          for (const [at, score] of ranked.slice(1).entries()) {
            expect(score).toBeLessThanOrEqual((ranked[at] ?? 0) + 1e-4);
          }
          database.close();
          await shop.clear();
        },
      ),
      { numRuns: 25 },
    );
  });

  it("tell what share of a name and a description a request mentions", async () => {
    const home = shop.newHome();
    const tools = [declared("red_oak", "an old tall tree"), declared("blue_elm", "a tree")];
    await (await openAt(home)).sync({ origin: "o", fingerprint: "1", tools });
    const { database, words } = await wordsIn(home);
    const score = wordScorer({ libraries: [words], request: readRequest("red oak tree") });
    const evidence = score(words.read([1, 2]));
    expect(evidence.get(1)).toMatchObject({ name: 1 });
    expect(evidence.get(1)?.description).toBeGreaterThan(0);
    expect(evidence.get(1)?.description).toBeLessThan(0.5);
    expect(evidence.get(2)).toMatchObject({ name: 0, description: 1 });
    expect(words.countHaving(["tree"]).get("tree")).toBe(2);
    database.close();
  });
});

it("a word of a tool counts up to the limit of each field", async () => {
  const home = shop.newHome();
  const library = await openAt(home);
  const red = tool("t1", { description: "red ".repeat(50) });
  await library.sync({ origin: "o", fingerprint: "1", tools: [red] });
  const { words, database } = await wordsIn(home);
  const { most, weight } = WORD_FIELDS.description;
  expect(words.sample[0]?.counts.get("red")).toBe(most * weight);
  database.close();
});

/** The published formula; the ids are words, too, each of its own. */
function bm25(options: {
  tools: readonly ToolDefinition[];
  query: readonly string[];
  weight: number;
}): number[] {
  const { tools, query, weight } = options;
  const texts = tools.map(({ description }) => termsOf(description));
  const lengths = tools.map((each) => Object.values(toolWords(each)).flat().length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / tools.length;
  return texts.map((words, at) =>
    [...new Set(query)].reduce((sum, word) => {
      const having = texts.filter((each) => each.includes(word)).length;
      const rarity = Math.log(1 + (tools.length - having + 0.5) / (having + 0.5));
      const count = weight * words.filter((each) => each === word).length;
      const norm = 1.2 * (1 - 0.75 + (0.75 * (lengths[at] ?? 0)) / average);
      return sum + (count === 0 ? 0 : (rarity * count * 2.2) / (count + norm));
    }, 0),
  );
}
