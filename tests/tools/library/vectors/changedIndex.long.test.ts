import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import { generated, note, toolAt, vectorEmbeddings, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

/** So many tools that a few changes do not cause the index to be rebuilt. */
const SIZE = 40;

/** Few different places, so that many tools are equally near and come in the order of registration. */
const vector = fc.tuple(fc.constantFrom(-1, 0, 1), fc.constantFrom(1, 2));
const ids = ["one", "two", "three"];
const change = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id: fc.constantFrom(...ids), vector }),
  fc.record({ kind: fc.constant("discard" as const), id: fc.constantFrom(...ids) }),
  fc.record({ kind: fc.constant("update" as const), at: fc.nat({ max: SIZE - 1 }), vector }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat({ max: SIZE - 1 }) }),
  fc.record({ kind: fc.constant("search" as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

async function openAt(home: string): Promise<LibraryEditor> {
  return await shop.openLibrary({
    home,
    embeddings: vectorEmbeddings(),
    embeddingModel: "fake:vectors",
  });
}

const spelled = (vector: readonly number[]) => JSON.stringify(vector);

async function hitsOf(library: LibraryEditor) {
  const phrases = [
    [0, 1],
    [1, 1],
    [-1, 2],
  ].map(spelled);
  const { results } = await library.search({
    phrases,
    topK: SIZE + ids.length,
    ranking: "meaning",
  });
  return results.map(({ hits }) => hits);
}

describe("an index that is changed with its library", () => {
  it("finds the same, in the same order, as a new one and a saved one", async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const home = shop.newHome();
        const library = await openAt(home);
        let tools = Array.from({ length: SIZE }, (_, at) => toolAt(`t${at}`, [at % 5, 1]));
        await library.sync({ origin: "a.ts", fingerprint: "0", tools });
        await hitsOf(library);
        for (const [step, each] of changes.entries()) {
          if (each.kind === "update")
            tools = tools.with(each.at, toolAt(`t${each.at}`, each.vector));
          if (each.kind === "remove") tools = tools.with(each.at, toolAt(`gone${step}`, [1, 1]));
          await apply(library, each);
          await library.sync({ origin: "a.ts", fingerprint: `${step + 1}`, tools });
        }
        const changed = await hitsOf(library);
        expect(await hitsOf(await openAt(home))).toEqual(changed);
        rmSync(join(home, "indexes"), { recursive: true });
        expect(await hitsOf(await openAt(home))).toEqual(changed);
        expect(changed.map((hits) => hits.length)).toEqual([1, 1, 1].map(() => library.size));
        await shop.clear();
      }),
      { numRuns: 10 },
    );
  });
});

async function apply(library: LibraryEditor, change: Change): Promise<void> {
  if (change.kind === "search") await hitsOf(library);
  if (change.kind !== "put" && change.kind !== "discard") return;
  const { id } = change;
  const basedOn = library.get(id)?.version ?? null;
  if (change.kind === "put") {
    const tool = generated(id, { description: spelled(change.vector) });
    await library.put({ tool, basedOn, note: note("put") });
  } else if (basedOn !== null) {
    await library.discard({ id, basedOn, note: note("discard") });
  }
}

describe("an index whose library changes whenever its tools are embedded", () => {
  it("is given up after some rounds, each of which may cost money", async () => {
    const home = shop.newHome();
    const other = await openAt(home);
    let rounds = 0;
    const change = async () => {
      const tools = [toolAt("t", [(rounds += 1), 1])];
      await other.sync({ origin: "a.ts", fingerprint: `${rounds}`, tools, embed: false });
    };
    await change();
    const embeddings = vectorEmbeddings();
    const embedDocuments = embeddings.embedDocuments.bind(embeddings);
    embeddings.embedDocuments = async (texts) => {
      await change();
      return await embedDocuments(texts);
    };
    const library = await shop.openLibrary({ home, embeddings, embeddingModel: "fake:vectors" });
    await expect(hitsOf(library)).rejects.toThrow(/library tools: after embedding its tools/);
    expect(rounds).toBeLessThan(20);
  });
});
