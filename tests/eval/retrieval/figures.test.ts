import { describe, expect, it } from "vitest";
import { retrievalRows } from "../../../eval/retrieval/figures.js";

const QUESTIONS = [
  { id: "1", query: "one", tools: ["a", "b"], split: "x" },
  { id: "2", query: "two", tools: ["c"], split: "y" },
];
const RANKINGS = [
  ["a", "c", "b"],
  ["b", "a"],
];

function rows(options: { questions?: typeof QUESTIONS; ks?: number[] } = {}) {
  const { questions = QUESTIONS, ks = [1, 3] } = options;
  return retrievalRows({ method: "words", questions, rankings: RANKINGS, ks });
}

describe("the rows of a method", () => {
  it("have the figures over all questions first, then those of each split", () => {
    const [all, x, y] = rows();
    // Question 1: 1 of 2 at rank 1, both within 3, gain 1 + 1 / log2(4) = 1.5 of the best
    // 1 + 1 / log2(3) = 1.6309. Question 2: nothing.
    expect(all).toMatchObject({ method: "words", split: "all", queries: 2, comp10: 0.5 });
    expect(all?.recall.map(({ k, mean }) => [k, mean])).toEqual([
      [1, 0.25],
      [3, 0.5],
    ]);
    expect(all?.ndcg10).toBeCloseTo(1.5 / 1.6309 / 2, 4);
    expect(x).toMatchObject({ split: "x", queries: 1, comp10: 1 });
    expect(x?.recall.map(({ mean }) => mean)).toEqual([0.5, 1]);
    expect(y).toMatchObject({ split: "y", queries: 1, ndcg10: 0, comp10: 0 });
  });

  it("have intervals around the mean that are always the same", () => {
    const questions = Array.from({ length: 20 }, (_, at) => ({
      id: `${at}`,
      query: "q",
      tools: [at % 3 === 0 ? "a" : "b"],
      split: "x",
    }));
    const rankings = questions.map(() => ["a"]);
    const figure = () =>
      retrievalRows({ method: "meaning", questions, rankings, ks: [1] })[0]?.recall[0];
    const { mean = 0, low = 0, high = 0 } = figure() ?? {};
    expect(mean).toBe(0.35);
    expect(low).toBeGreaterThan(0.05);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    expect(high).toBeLessThan(0.65);
    expect(figure()).toEqual(figure());
  });
});
