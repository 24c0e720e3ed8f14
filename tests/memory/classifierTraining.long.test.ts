import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../common/errors.js";
import { classifyCalls, trainJudge } from "../../memory/classifier.js";
import type { PastCall } from "../../memory/experience.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { judgedCalls } from "./pastCallFixture.js";

function train(pastCalls: Iterable<PastCall>) {
  const model = wordEmbeddings({ dimensions: 64 });
  return trainJudge({ pastCalls, embeddings: { name: "fake:words", embeddings: model } });
}

describe("training a classifier of helpful calls", () => {
  it("learns what distinguishes them, and judges calls of new requests by it", async () => {
    const classifier = await train(judgedCalls(60));
    const { figures } = classifier;
    expect(figures).toMatchObject({ train: 84, heldOut: 36, positives: 18, baseRate: 0.5 });
    expect(figures.precision).toBeGreaterThan(0.95);
    expect(figures.recall).toBeGreaterThan(0.95);
    const { verdicts } = await classifyCalls({
      classifier,
      calls: judgedCalls(100).slice(-2),
      embeddings: { name: "fake:words", embeddings: wordEmbeddings({ dimensions: 64 }) },
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

  it("gives the same in any order of calls", async () => {
    const pastCalls = judgedCalls(40);
    const classifier = await train(pastCalls);
    const again = await train(pastCalls.toReversed());
    expect(again.figures).toEqual(classifier.figures);
    expect(again.bias).toBeCloseTo(classifier.bias, 6);
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

  it.each([
    ["no calls", [], /^judge: 0 calls of 0 requests have a result and a verdict\b.*20 calls of 2/],
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
});
