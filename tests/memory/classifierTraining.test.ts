import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../common/errors.js";
import { classifyCalls } from "../../memory/classifier.js";
import { measureVerdicts, trainJudge } from "../../memory/classifierTraining.js";
import type { PastCall } from "../../memory/experience.js";
import { toldProgress } from "../fakes/toldProgress.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { judgedCalls, pastCall } from "./pastCallFixture.js";

function train(pastCalls: Iterable<PastCall>, more: { seed?: number; heldOut?: number } = {}) {
  const model = wordEmbeddings({ dimensions: 64 });
  return trainJudge({ pastCalls, embeddings: { name: "fake:words", model }, ...more });
}

describe("training a classifier of helpful calls", () => {
  it("learns what distinguishes them, and judges calls of new requests by it", async () => {
    const { classifier, figures } = await train(judgedCalls(60));
    expect(figures).toMatchObject({ train: 84, heldOut: 36, positives: 18, baseRate: 0.5 });
    expect(figures.precision).toBeGreaterThan(0.95);
    expect(figures.recall).toBeGreaterThan(0.95);
    expect(classifier.figures).toEqual(figures);
    const { verdicts } = await classifyCalls({
      classifier,
      calls: judgedCalls(100).slice(-2),
      embeddings: { name: "fake:words", model: wordEmbeddings({ dimensions: 64 }) },
    });
    expect(verdicts.map(({ helpful }) => helpful)).toEqual([true, false]);
  });

  it("finds nothing to learn in verdicts that were given by chance", async () => {
    const pastCalls = judgedCalls(150).map((call, at) => ({
      ...call,
      helpful: (at * 7919) % 5 < 2,
    }));
    const { figures } = await train(pastCalls.map((call) => ({ ...call, result: call.query })));
    expect(figures.accuracy).toBeLessThan(0.75);
  });

  it("keeps all calls of a request on one side", async () => {
    const sides = judgedCalls(30).map((call, at) => ({
      ...call,
      id: `${at}`,
      query: `q${at % 10}`,
    }));
    const { figures } = await train(sides);
    // Ten requests of six calls each: three are held out.
    expect(figures).toMatchObject({ train: 42, heldOut: 18 });
  });

  it("gives the same for the same seed, in any order of calls", async () => {
    const pastCalls = judgedCalls(40);
    const { classifier, figures } = await train(pastCalls, { seed: 5 });
    const again = await train(pastCalls.toReversed(), { seed: 5 });
    expect(again.figures).toEqual(figures);
    expect(again.classifier.bias).toBeCloseTo(classifier.bias, 6);
  });

  it("holds other requests out with another seed", async () => {
    // One request has a hundred calls more than the others, on one side or on the other.
    const many = Array.from({ length: 100 }, (_, at) => pastCall({ id: `m${at}`, query: "many" }));
    const pastCalls = [...judgedCalls(12), ...many];
    const sizes = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(
        async (seed) => (await train(pastCalls, { seed, heldOut: 0.5 })).figures.heldOut,
      ),
    );
    expect(new Set(sizes).size).toBe(2);
  });

  it("learns from calls with a result that a model has judged or whose verdict was given", async () => {
    const taught = judgedCalls(20).map((call, at): PastCall => ({
      ...call,
      judgedBy: at % 2 ? "model" : "given",
    }));
    const others = judgedCalls(20).flatMap((call): PastCall[] => [
      { ...call, id: `r${call.id}`, judgedBy: "rule" },
      { ...call, id: `c${call.id}`, judgedBy: "classifier" },
      { ...call, id: `f${call.id}`, failed: true },
      { ...call, id: `n${call.id}`, helpful: null },
    ]);
    const { figures } = await train([...others, ...taught]);
    expect(figures.train + figures.heldOut).toBe(40);
  });

  it("uses 30,000 calls at most", async () => {
    const model = wordEmbeddings({ dimensions: 2 });
    const { figures } = await trainJudge({
      pastCalls: manyCalls(65_000),
      embeddings: { name: "w", model },
    });
    expect(figures.train + figures.heldOut).toBe(30_000);
  });

  it("reports how many texts are embedded", async () => {
    const told = toldProgress();
    await trainJudge({
      pastCalls: judgedCalls(150),
      embeddings: { name: "fake:words", model: wordEmbeddings() },
    });
    expect(told.at(-1)).toMatchObject({ label: "embedding", done: 451, total: 451 });
  });

  it.each([
    ["no calls", [], /^judge: 0 calls of 0 requests have a result and a verdict .*20 calls of 2/],
    ["too few calls", judgedCalls(9), /^judge: 18 calls of 9 requests/],
    [
      "calls of one request only",
      judgedCalls(20).map((call) => ({ ...call, query: "one" })),
      /40 calls of 1 requests/,
    ],
    [
      "helpful calls only",
      judgedCalls(20).map((call) => ({ ...call, helpful: true })),
      /^judge: all 28 calls to learn from are helpful/,
    ],
    [
      "unhelpful calls only",
      judgedCalls(20).map((call) => ({ ...call, helpful: false })),
      /all 28 calls to learn from are unhelpful/,
    ],
  ])("refuses %s, and says what to do", async (_what, pastCalls, message) => {
    const error: unknown = await train(pastCalls).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InvalidSetting);
    expect(String(error)).toMatch(/tulipgraph memory import FILE$/);
    expect((error as InvalidSetting).message).toMatch(message);
  });

  it.each([0, 1, -0.5, Number.NaN])("refuses to hold out %d of the requests", async (heldOut) => {
    await expect(train(judgedCalls(20), { heldOut })).rejects.toThrow(
      /^held-out: .* is not a share between 0 and 1$/,
    );
  });
});

describe("the figures of verdicts", () => {
  it("are those of a confusion table worked out by hand", () => {
    // Found rightly 3, found wrongly 1, missed 2, left rightly 4.
    const judged = [true, true, true, true, false, false, false, false, false, false];
    const truth = [true, true, true, false, true, true, false, false, false, false];
    expect(measureVerdicts({ judged, truth })).toEqual({
      heldOut: 10,
      precision: 3 / 4,
      recall: 3 / 5,
      accuracy: 7 / 10,
      positives: 5,
      baseRate: 1 / 2,
    });
  });

  it("have no precision if nothing was found, and no recall if there is nothing to find", () => {
    expect(measureVerdicts({ judged: [false], truth: [true] })).toMatchObject({
      precision: null,
      recall: 0,
    });
    expect(measureVerdicts({ judged: [true], truth: [false] })).toMatchObject({
      precision: 0,
      recall: null,
    });
  });
});

function* manyCalls(count: number): Generator<PastCall> {
  for (let at = 0; at < count; at += 1) {
    const helpful = at % 2 === 0;
    yield pastCall({ id: `${at}`, query: `q${at % 50}`, result: `${helpful}`, helpful });
  }
}
