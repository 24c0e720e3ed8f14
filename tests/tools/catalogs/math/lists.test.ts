import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as lists from "../../../../tools/catalogs/math/lists.js";

const numbers = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 });

describe("sums and products of lists", () => {
  it("give known results", () => {
    expect(lists.sumOfList([1, 2.5, -4])).toBe(-0.5);
    expect(lists.productOfNumbers([2, 3, -4])).toBe(-24);
    expect(lists.sumOfSquaresOfList([40, 26])).toBe(2276);
    expect(lists.sumOfEvenNumbers([1, 2, 3, 4, -6])).toBe(0);
    expect(lists.sumOfOddNumbers([1, 2, 3, 4, -7])).toBe(-3);
  });

  it("are zero for even or odd numbers where there are none", () => {
    expect(lists.sumOfEvenNumbers([1, 3])).toBe(0);
    expect(lists.sumOfOddNumbers([2, 4])).toBe(0);
  });

  it("split the sum of a list into its even and its odd numbers", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const parts = lists.sumOfEvenNumbers(list) + lists.sumOfOddNumbers(list);
        expect(parts).toBe(lists.sumOfList(list));
      }),
    );
  });

  it("refuse fractions as even or odd numbers and sums that are not exact", () => {
    expect(() => lists.sumOfEvenNumbers([2, 2.5])).toThrow("numbers[1] must be a whole number");
    expect(() => lists.sumOfOddNumbers([0.5])).toThrow("numbers[0] must be a whole number");
    expect(() => lists.sumOfOddNumbers([2 ** 53 - 1, 1])).toThrow("too large to be exact");
    expect(() => lists.productOfNumbers([1e200, 1e200])).toThrow("the result is too large");
  });
});

describe("minimum, maximum, range and order", () => {
  it("give known results", () => {
    const list = [3, -1.5, 10];
    expect(lists.minimum(list)).toBe(-1.5);
    expect(lists.maximum(list)).toBe(10);
    expect(lists.rangeOfNumbers(list)).toBe(11.5);
    expect(lists.greatestDifference(list)).toBe(11.5);
    expect(lists.sortNumbers(list)).toEqual([-1.5, 3, 10]);
    expect(list).toEqual([3, -1.5, 10]);
  });

  it("work on the longest list that is taken", () => {
    const long = Array.from({ length: 100_000 }, (_, index) => index);
    expect(lists.minimum(long)).toBe(0);
    expect(lists.maximum(long)).toBe(99_999);
  });

  it("fit together: the sorted list runs from minimum to maximum", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const sorted = lists.sortNumbers(list);
        expect(sorted[0]).toBe(lists.minimum(list));
        expect(sorted.at(-1)).toBe(lists.maximum(list));
        expect(lists.rangeOfNumbers(list)).toBe(lists.maximum(list) - lists.minimum(list));
        for (const [index, value] of sorted.slice(1).entries()) {
          expect(value).toBeGreaterThanOrEqual(sorted[index] ?? Infinity);
        }
      }),
    );
  });

  it("allow a range of one number but no difference of it", () => {
    expect(lists.rangeOfNumbers([5])).toBe(0);
    expect(() => lists.greatestDifference([5])).toThrow("numbers must hold 2 to 100000 numbers");
  });
});

it.each(Object.entries(lists))("the list function %s refuses an empty list", (_, call) => {
  expect(() => call([])).toThrow(/^numbers must hold \d to 100000 numbers; got 0$/u);
});
