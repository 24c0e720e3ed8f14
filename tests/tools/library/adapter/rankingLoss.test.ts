import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identityMatrix } from "../../../../tools/library/adapter/matrix.js";
import { type RankingBatch, rankingLoss } from "../../../../tools/library/adapter/rankingLoss.js";
import { directions, randomNumbers } from "./support.js";

/** A batch of random vectors, some of whose other tools are masked, and weights near the identity. */
function randomCase(seed: number): { weights: Float64Array[]; batch: RankingBatch } {
  const random = randomNumbers(seed);
  const dimension = 3 + (seed % 6);
  const rows = 1 + (seed % 4);
  const columns = 5 + (seed % 5);
  const batch = {
    queries: directions({ count: rows, dimension, random }),
    tools: directions({ count: columns, dimension, random }),
    targets: Array.from({ length: rows }, () => Math.floor(random() * columns)),
    masked: Array.from({ length: rows }, () => new Set([Math.floor(random() * columns)])),
  };
  const weights = Array.from({ length: dimension }, (_, row) =>
    Float64Array.from({ length: dimension }, (_value, at) =>
      at === row ? 1 : 0.4 * (random() - 0.5),
    ),
  );
  return { weights, batch };
}

const cases = fc.integer({ min: 1, max: 100_000 }).map(randomCase);

describe("the ranking loss of an adapter", () => {
  it("has the gradient that finite differences give", () => {
    fc.assert(
      fc.property(cases, ({ weights, batch }) => {
        const { gradient } = rankingLoss({ weights, batch });
        const step = 1e-5;
        for (const [row, values] of weights.entries())
          for (const [at, value] of values.entries()) {
            const lossAt = (change: number) =>
              rankingLoss({
                weights: weights.with(row, values.with(at, value + change)),
                batch,
              }).loss;
            const slope = (lossAt(step) - lossAt(-step)) / (2 * step);
            expect(Math.abs((gradient[row]?.[at] ?? 0) - slope)).toBeLessThan(1e-5);
          }
      }),
      { numRuns: 50 },
    );
  });

  it("is what the formula says: −log softmax of twenty times the cosines", () => {
    const batch = {
      queries: [Float64Array.of(3, 0)],
      tools: [Float64Array.of(1, 0), Float64Array.of(0.8, 0.6)],
      targets: [1],
      masked: [new Set<number>()],
    };
    const { loss } = rankingLoss({ weights: identityMatrix(2), batch });
    expect(loss).toBeCloseTo(Math.log(1 + Math.exp(20 * (1 - 0.8))), 10);
  });

  it("does not mind another right tool in front, and still counts the pair's own", () => {
    const batch = {
      queries: [Float64Array.of(1, 0)],
      tools: [Float64Array.of(1, 0), Float64Array.of(0.6, 0.8)],
      targets: [1],
      masked: [new Set([0, 1])],
    };
    expect(rankingLoss({ weights: identityMatrix(2), batch }).loss).toBe(0);
  });
});
