import { describe, expect, it } from "vitest";
import { partOf } from "../../../eval/retrieval/split.js";
import { trainRetriever } from "../../../eval/retrieval/trainRetriever.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { declared } from "./support.js";

const MODEL = { embeddings: wordEmbeddings({ dimensions: 64 }), name: "fake:words" };

/** Ten tools; requests for the last one call it by a word that no tool has. */
function nicknameSet(name: string, requests = 60) {
  const tools = Array.from({ length: 10 }, (_, at) => declared(`tool${at}`, `does thing ${at}`));
  return {
    name,
    tools,
    requests: Array.from({ length: requests }, (_, at) => ({
      query: "zorp",
      tools: ["tool9"],
      template: `template ${at}`,
    })),
  };
}

describe("trainRetriever", () => {
  it("learns what requests mean, and measures it on requests that it has not seen", async () => {
    const set = nicknameSet("nicknames");
    const { figures, bestRound, trained, dimension } = await trainRetriever({
      sets: [set],
      model: MODEL,
      seed: 1,
    });
    const tested = set.requests.filter((request) => partOf(request, 1) === "test").length;
    expect({ dimension, trained }).toEqual({ dimension: 64, trained: 60 - tested });
    expect(bestRound).toBeGreaterThan(0);
    expect(figures).toMatchObject([
      { set: "nicknames", tools: 10, trained, tested, plain: 0, adapted: 1 },
    ]);
    expect(figures[0]?.gain).toEqual({ low: 1, high: 1 });
    expect(figures[0]?.seen).toEqual({ pairs: tested, plain: 0, adapted: 1 });
    expect(figures[0]?.unseen.pairs).toBe(0);
  });

  it("trains one adapter on several sets, each with figures of its own", async () => {
    const sets = [nicknameSet("one"), nicknameSet("two", 90)];
    const { figures, rounds } = await trainRetriever({ sets, model: MODEL, seed: 2 });
    expect(figures.map(({ set }) => set)).toEqual(["one", "two"]);
    expect(figures.map(({ trained, tested }) => trained + tested)).toEqual([60, 90]);
    expect(rounds[0]?.round).toBe(1);
  });

  it("gives the same adapter for the same seed", async () => {
    const options = { sets: [nicknameSet("one")], model: MODEL };
    const one = await trainRetriever({ ...options, seed: 1 });
    const same = await trainRetriever({ ...options, seed: 1 });
    expect(same).toEqual(one);
  });

  it("says whether searches by meaning and words find more with it", async () => {
    const options = { sets: [nicknameSet("nicknames")], model: MODEL, seed: 1 };
    const gains = await trainRetriever(options);
    expect(gains.isBetter).toBe(true);
    expect(gains.figures[0]?.both).toMatchObject({ plain: 0, adapted: 1 });
  });

  it("refuses requests if a part of the split would be empty", async () => {
    const sets = [nicknameSet("few", 2)];
    await expect(trainRetriever({ sets, model: MODEL, seed: 1 })).rejects.toThrow(
      /^pairs: 2 requests, .* leave no request .* Give more requests/,
    );
  });
});
