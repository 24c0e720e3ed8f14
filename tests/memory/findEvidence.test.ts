import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolEvidence } from "../../state/budget/toolValues.js";
import type { PastCall } from "../../memory/experience.js";
import { openExperience } from "../../memory/openExperience.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { allOf, anyPastCalls, openStore, question, temporaryHome, pastCalls } from "./support.js";

/** What evidence says, without the numbers of requests and with similarities of three digits. */
function saidOf(evidence: readonly ToolEvidence[]) {
  return evidence.map(({ tool, rows }) => {
    return {
      tool,
      rows: rows.map(({ similarity, calls, helpful }) => {
        return { similarity: Number(similarity.toFixed(3)), calls, helpful };
      }),
    };
  });
}

describe("evidence", () => {
  it("sums up the judged calls of each candidate by past request", async () => {
    const store = openStore();
    const other = "what is the weather";
    await store.add(
      pastCalls(
        { helpful: true },
        { helpful: false },
        { helpful: null },
        { query: other, helpful: false },
        { query: other, helpful: null, tool: "times" },
        { library: "office", helpful: true },
      ),
    );
    const evidence = await store.evidence(question({ tools: ["times", "add", "none"] }));
    expect(saidOf(evidence)).toEqual([
      { tool: "times", rows: [] },
      {
        tool: "add",
        rows: [
          { similarity: 1, calls: 2, helpful: 1 },
          { similarity: 0, calls: 1, helpful: 0 },
        ],
      },
      { tool: "none", rows: [] },
    ]);
  });

  it("has nothing to say of nothing, and embeds nothing for it", async () => {
    const store = openStore();
    await store.add(pastCalls({ helpful: null }));
    const asked = question({ tools: ["add"] });
    expect(await store.evidence({ ...asked, tools: [] })).toEqual([]);
    expect(await store.evidence(asked)).toEqual([{ tool: "add", rows: [] }]);
    expect(await store.evidence({ ...asked, library: "none" })).toEqual([
      { tool: "add", rows: [] },
    ]);
    expect(asked.embeddings.embeddings.calls).toEqual([]);
  });

  it("counts a text without direction as unlike any other", async () => {
    const store = openStore();
    await store.add(pastCalls({ query: "…" }, { query: "words" }));
    const rows = (query: string) => store.evidence(question({ query }));
    expect(saidOf(await rows("words"))[0]?.rows.map(({ similarity }) => similarity)).toEqual([
      0, 1,
    ]);
    expect(saidOf(await rows("!"))[0]?.rows.map(({ similarity }) => similarity)).toEqual([0, 0]);
  });

  it("is that of the past calls", async () => {
    await fc.assert(
      fc.asyncProperty(anyPastCalls, async (all) => {
        const store = openExperience({ home: temporaryHome() });
        await store.add(all.map((pastCall) => ({ ...pastCall, tool: "one" })));
        const evidence = await store.evidence(question({ tools: ["one"], query: "add" }));
        const kept = await allOf(store.pastCalls({ library: "math" }));
        expect(countsOf(evidence)).toEqual(countsFrom(kept));
        await store.close();
      }),
      { numRuns: 25 },
    );
  });
});

function countsFrom(pastCalls: readonly PastCall[]): number[][] {
  const counts = new Map<string, [number, number]>();
  for (const { query, helpful } of pastCalls) {
    if (helpful === null) continue;
    const [calls, helped] = counts.get(query) ?? [0, 0];
    counts.set(query, [calls + 1, helped + Number(helpful)]);
  }
  return [...counts.values()].toSorted(byNumbers);
}

function countsOf([evidence]: readonly ToolEvidence[]): number[][] {
  const rows = evidence?.rows ?? [];
  return rows.map(({ calls, helpful }) => [calls, helpful]).toSorted(byNumbers);
}

function byNumbers([a = 0, b = 0]: number[], [c = 0, d = 0]: number[]): number {
  return a - c || b - d;
}

function asked(model: ReturnType<typeof wordEmbeddings>, name = "words:hashed") {
  return { ...question(), embeddings: { name, embeddings: model } };
}

describe("vectors of past requests", () => {
  it("are made once for a model, in batches, and found by whoever opens the experience later", async () => {
    const home = temporaryHome();
    const store = openStore(home);
    await store.add(
      pastCalls(...Array.from({ length: 300 }, (_, call) => ({ query: `request ${call}` }))),
    );
    const model = wordEmbeddings();
    await store.evidence(asked(model));
    expect(model.calls.map((texts) => texts.length)).toEqual([1, 256, 44]);
    await store.add(pastCalls({ query: "one more request" }));
    await store.evidence(asked(model));
    expect(model.calls.slice(3)).toEqual([["one more request"]]);
    const later = wordEmbeddings();
    await openStore(home).evidence(asked(later));
    expect(later.calls).toEqual([["add two numbers"]]);
    const another = wordEmbeddings();
    await store.evidence(asked(another, "words:other"));
    expect(another.calls.map((texts) => texts.length)).toEqual([1, 256, 45]);
  });

  it("are made once when several ask at the same time", async () => {
    const store = openStore();
    await store.add(pastCalls({ query: "one" }, { query: "two" }));
    const model = wordEmbeddings();
    await Promise.all(
      ["a", "b", "c"].map(async (query) => await store.evidence({ ...asked(model), query })),
    );
    expect(model.calls.filter((texts) => texts.includes("one"))).toHaveLength(1);
  });

  it("that another process has made are not made again", async () => {
    const home = temporaryHome();
    const [store, other] = [openStore(home), openStore(home)];
    await store.add(pastCalls({ query: "one" }));
    const model = wordEmbeddings();
    await store.evidence(asked(model));
    await other.add(pastCalls({ query: "two" }));
    await other.evidence(asked(model));
    await store.evidence(asked(model));
    expect(model.calls.flat().filter((text) => text === "two")).toHaveLength(1);
  });

  it("stay when a later batch fails, which is reported and tried again", async () => {
    const store = openStore();
    await store.add(
      pastCalls(...Array.from({ length: 300 }, (_, call) => ({ query: `request ${call}` }))),
    );
    const model = wordEmbeddings();
    const embed = model.embedDocuments.bind(model);
    model.embedDocuments = async (texts) => (texts.length === 44 ? [] : await embed(texts));
    await expect(store.evidence(asked(model))).rejects.toThrow(
      /model words:hashed: expected 44 vectors/,
    );
    model.embedDocuments = embed;
    await store.evidence(asked(model));
    expect(model.calls.map((texts) => texts.length)).toEqual([1, 256, 44]);
  });
});
