import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as averages from "../../../../tools/catalogs/math/averages.js";

const { geometricMean, harmonicMean, mean, median, mode } = averages;
const positive = fc.array(fc.double({ min: 0.01, max: 1e4, noNaN: true }), {
  minLength: 1,
  maxLength: 50,
});

describe("mean, geometric_mean and harmonic_mean", () => {
  it("give known results", () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(geometricMean([2, 8])).toBe(4);
    expect(geometricMean([4, 1, 1 / 32])).toBe(0.5);
    expect(geometricMean([0, 5])).toBe(0);
    expect(harmonicMean([40, 60])).toBeCloseTo(48, 12);
    expect(harmonicMean([1, 4, 4])).toBe(2);
  });

  it("stand in the order of the inequality of means", () => {
    fc.assert(
      fc.property(positive, (numbers) => {
        const slack = 1 + 1e-12;
        expect(harmonicMean(numbers)).toBeLessThanOrEqual(geometricMean(numbers) * slack);
        expect(geometricMean(numbers)).toBeLessThanOrEqual(mean(numbers) * slack);
      }),
    );
  });

  it("take the geometric mean of numbers whose product a double cannot hold", () => {
    expect(geometricMean([1e200, 1e200, 1e200]) / 1e200).toBeCloseTo(1, 12);
    expect(geometricMean([1e-200, 1e-200, 1e-200]) / 1e-200).toBeCloseTo(1, 12);
    expect(geometricMean([1e-200, 1e-200, 1e200, 1e200])).toBeCloseTo(1, 12);
  });

  it("take the harmonic mean of numbers whose reciprocals a double cannot hold", () => {
    expect(harmonicMean([Number.MIN_VALUE, Number.MIN_VALUE])).toBe(Number.MIN_VALUE);
    expect(harmonicMean([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
  });

  it("refuse numbers that have no such mean", () => {
    expect(() => geometricMean([1, -2])).toThrow("numbers[1] must be 0 or more; got -2");
    expect(() => harmonicMean([1, 0])).toThrow("numbers[1] must be greater than 0; got 0");
  });
});

describe("median", () => {
  it("sorts by itself and leaves the list alone", () => {
    const numbers = [10, 9, 1];
    expect(median(numbers)).toBe(9);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(numbers).toEqual([10, 9, 1]);
  });

  it("has as many numbers above as below", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
        const middle = median(numbers);
        const below = numbers.filter((number) => number < middle).length;
        const above = numbers.filter((number) => number > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(numbers.length / 2);
      }),
    );
  });
});

describe("mode", () => {
  it("lists the most frequent values, smallest first", () => {
    expect(mode([5, 1, 5, 2])).toEqual([5]);
    expect(mode([10, 9, 10, 9, 1])).toEqual([9, 10]);
    expect(mode([3, 1, 2])).toEqual([1, 2, 3]);
  });

  it("lists values of the list that no other value outnumbers", () => {
    const few = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(few, (numbers) => {
        const count = (value: number): number => numbers.filter((other) => other === value).length;
        const highest = Math.max(...numbers.map(count));
        const expected = new Set(numbers.filter((value) => count(value) === highest));
        expect(new Set(mode(numbers))).toEqual(expected);
      }),
    );
  });
});

it.each(Object.entries(averages))("the average %s refuses an empty list", (_, average) => {
  expect(() => average([])).toThrow("numbers must hold 1 to 100000 numbers; got 0");
});
