import { describe, expect, it } from "vitest";
import { fitLogistic, probability } from "../../memory/logisticRegression.js";

describe("logistic regression", () => {
  it("learns a threshold: the probability is a half between the two sides", () => {
    const rows = [0, 1, 2, 8, 9, 10].map((value) => Float32Array.of(value));
    const labels = [false, false, false, true, true, true];
    const model = fitLogistic({ rows, labels, l2: 0.1 });
    expect(probability(model, Float32Array.of(5))).toBeCloseTo(0.5, 2);
    expect(probability(model, Float32Array.of(1))).toBeLessThan(0.2);
    expect(probability(model, Float32Array.of(9))).toBeGreaterThan(0.8);
  });
});
