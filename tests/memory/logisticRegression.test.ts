import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLogistic, probability } from "../../memory/logisticRegression.js";

const numbers = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 });

const examples = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }))
  .chain(([size, count]) =>
    fc.array(fc.tuple(fc.array(numbers, { minLength: size, maxLength: size }), fc.boolean()), {
      minLength: count,
      maxLength: count,
    }),
  )
  .map((pairs) => ({
    rows: pairs.map(([features]) => Float32Array.from(features)),
    labels: pairs.map(([, label]) => label),
  }));

describe("logistic regression", () => {
  it("gives probabilities strictly between 0 and 1 for any features", () => {
    fc.assert(
      fc.property(examples, fc.array(numbers, { minLength: 4, maxLength: 4 }), (known, other) => {
        const model = fitLogistic({ ...known, l2: 0.1 });
        for (const row of [...known.rows, Float32Array.from(other)]) {
          const value = probability(model, row);
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThan(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("is the minimum of the regularised loss: no small change of the model lowers it", () => {
    fc.assert(
      fc.property(examples, (known) => {
        const l2 = 0.5;
        const scaled = standardised(known.rows);
        const fitted = fitLogistic({ rows: scaled, labels: known.labels, l2 });
        const least = loss({ ...fitted, rows: scaled, labels: known.labels, l2 });
        for (const at of fitted.weights.keys()) {
          for (const change of [-0.05, 0.05]) {
            const weights = fitted.weights.with(at, (fitted.weights[at] ?? 0) + change);
            const changed = loss({ ...fitted, weights, rows: scaled, labels: known.labels, l2 });
            // A feature that does not vary keeps weight 0, which is the minimum up to rounding.
            expect(changed).toBeGreaterThan(least - 1e-4);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("learns a threshold: the probability is a half between the two sides", () => {
    const rows = [0, 1, 2, 8, 9, 10].map((value) => Float32Array.of(value));
    const labels = [false, false, false, true, true, true];
    const model = fitLogistic({ rows, labels, l2: 0.1 });
    expect(probability(model, Float32Array.of(5))).toBeCloseTo(0.5, 2);
    expect(probability(model, Float32Array.of(1))).toBeLessThan(0.2);
    expect(probability(model, Float32Array.of(9))).toBeGreaterThan(0.8);
  });
});

interface Fit {
  weights: number[];
  bias: number;
  rows: Float32Array[];
  labels: boolean[];
  l2: number;
}

function loss({ weights, bias, rows, labels, l2 }: Fit): number {
  const losses = rows.map((row, at) => {
    const guess = probability({ weights, bias }, row);
    return -Math.log(labels[at] ? guess : 1 - guess) / rows.length;
  });
  const length = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  return losses.reduce((sum, value) => sum + value, 0) + (l2 / 2) * length;
}

/** Rows with mean 0 and deviation 1 in each feature, for which the loss is stated. */
function standardised(rows: Float32Array[]): Float32Array[] {
  const columns = [...(rows[0] ?? [])].map((_, column) => rows.map((row) => row[column] ?? 0));
  const scaled = columns.map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    const deviation = Math.sqrt(square);
    return values.map((value) => (deviation > 1e-3 ? (value - mean) / deviation : 0));
  });
  return rows.map((_, at) => Float32Array.from(scaled.map((values) => values[at] ?? 0)));
}
