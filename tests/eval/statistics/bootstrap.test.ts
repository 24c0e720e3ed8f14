import { describe, expect, it } from "vitest";
import { bootstrapInterval } from "../../../eval/statistics/bootstrap.js";

describe("the bootstrap interval of a mean", () => {
  it("is that of the distribution of resampled means", () => {
    // 13 of 20 right: resampled counts are binomial(20, 0.65), whose 2.5 % and 97.5 % are 9 and 17.
    const right = Array.from({ length: 20 }, (_, index) => [index < 13 ? 1 : 0]);
    expect(bootstrapInterval(right)).toStrictEqual({ low: 0.45, high: 0.85 });
  });

  it("is near the normal interval for many tasks", () => {
    const values = Array.from({ length: 400 }, (_, index) => [index % 2]);
    const { low, high } = bootstrapInterval(values);
    // 0.5 ± 1.96 · 0.5 / √400
    expect(low).toBeCloseTo(0.451, 2);
    expect(high).toBeCloseTo(0.549, 2);
  });

  it("draws whole tasks: repetitions of a task add nothing", () => {
    const once = [[0], [1], [1], [0], [1]];
    const fivefold = once.map(([value = 0]) => Array.from({ length: 5 }, () => value));
    expect(bootstrapInterval(fivefold)).toStrictEqual(bootstrapInterval(once));
  });

  it("weighs tasks by their runs", () => {
    // Either task may be drawn twice; together they make (0 + 3 · 1) / 4.
    const { low, high } = bootstrapInterval([[0], [1, 1, 1]]);
    expect([low, high]).toStrictEqual([0, 1]);
    const means = new Set(
      Array.from({ length: 50 }, (_, seed) =>
        bootstrapInterval([[0], [1, 1, 1]], { seed, resamples: 1 }),
      ).map((interval) => interval.low),
    );
    expect([...means].toSorted((a, b) => a - b)).toStrictEqual([0, 0.75, 1]);
  });

  it("is a point if all values are the same", () => {
    expect(bootstrapInterval([[0.1], [0.1, 0.1], [0.1]])).toStrictEqual({ low: 0.1, high: 0.1 });
    expect(bootstrapInterval([[3]])).toStrictEqual({ low: 3, high: 3 });
  });

  it("leaves out tasks without a value, and is NaN without any", () => {
    expect(bootstrapInterval([[], [1], [], [0]])).toStrictEqual(bootstrapInterval([[1], [0]]));
    expect(bootstrapInterval([[], []])).toStrictEqual({ low: Number.NaN, high: Number.NaN });
  });
});
