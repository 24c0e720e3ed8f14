import { describe, expect, it } from "vitest";
import {
  interquartileMean,
  mean,
  quantile,
  standardDeviation,
} from "../../../eval/statistics/descriptive.js";

describe("the mean and the spread", () => {
  it("are those of the definitions", () => {
    expect(mean([2, 4, 4, 4, 5, 5, 7, 9])).toBe(5);
    // Squared distances add up to 32, over n - 1 = 7.
    expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12);
  });
});

describe("a quantile", () => {
  it("lies between its neighbours in proportion", () => {
    // Position (4 - 1) * 0.25 = 0.75 between 1 and 2.
    expect(quantile([4, 1, 3, 2], 0.25)).toBe(1.75);
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe("the interquartile mean", () => {
  it("averages the middle half of sorted values", () => {
    // Sorted: 1 3 4 | 5 6 6 7 7 8 | 8 9 38.
    expect(interquartileMean([5, 8, 4, 38, 8, 6, 9, 7, 7, 3, 1, 6])).toBe(39 / 6);
  });

  it("weighs values across the cut by the part that lies inside", () => {
    // Nine values, a quarter is 2.25: three quarters of 5 and of 13, all of 7, 9 and 11.
    const given = [1, 3, 5, 7, 9, 11, 13, 15, 17];
    expect(interquartileMean(given)).toBe((0.75 * 5 + 7 + 9 + 11 + 0.75 * 13) / 4.5);
  });

  it.each([
    [[7], 7],
    [[1, 3], 2],
    // Of three a quarter of the first and the last, and the middle one: 0.25 + 2 + 2.5 over 1.5.
    [[1, 2, 10], 4.75 / 1.5],
  ])("is defined for few values: %j", (few, expected) => {
    expect(interquartileMean(few)).toBeCloseTo(expected, 12);
  });
});
