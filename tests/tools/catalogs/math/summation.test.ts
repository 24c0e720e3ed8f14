import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accurateSum,
  ascending,
  meanOf,
  squaredDeviations,
} from "../../../../tools/catalogs/math/summation.js";

describe("the compensated sum", () => {
  it("keeps what a plain sum would lose", () => {
    expect(accurateSum(Array<number>(10).fill(0.1))).toBe(1);
    expect(accurateSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(accurateSum([])).toBe(0);
  });

  it("overflows to infinity and not to NaN", () => {
    expect(accurateSum([Number.MAX_VALUE, Number.MAX_VALUE, 1])).toBe(Infinity);
  });

  it("is exact for whole numbers in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const exact = Number(numbers.reduce((sum, number) => sum + BigInt(number), 0n));
        expect(accurateSum(numbers)).toBe(exact);
        expect(accurateSum(numbers.toReversed())).toBe(exact);
      }),
    );
  });
});

describe("the helpers of the statistics", () => {
  it("take the mean and the squared distances from it", () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    expect(squaredDeviations([1, 2, 6])).toBe(14);
  });

  it("sort by size, not by spelling, and leave the list alone", () => {
    const numbers = [10, 9, -1];
    expect(ascending(numbers)).toEqual([-1, 9, 10]);
    expect(numbers).toEqual([10, 9, -1]);
  });
});
