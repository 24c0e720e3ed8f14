import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  binomialCoefficient,
  catalanNumber,
  factorial,
  factorialRecursive,
  pascalsTriangleRow,
} from "../../../../tools/catalogs/math/combinatorics.js";

describe("factorial and factorial_recursive", () => {
  it.each([
    { n: 0, expected: 1 },
    { n: 1, expected: 1 },
    { n: 7, expected: 5040 },
    { n: 18, expected: 6_402_373_705_728_000 },
    { n: 25, expected: 1.5511210043330986e25 },
    { n: 170, expected: 7.257415615307999e306 },
  ])("of $n is $expected", ({ n, expected }) => {
    expect(factorial(n)).toBe(expected);
    expect(factorialRecursive(n)).toBe(expected);
  });

  it("are exact up to 22!", () => {
    expect(BigInt(factorial(22))).toBe(1_124_000_727_777_607_680_000n);
  });

  it("end at 170 and refuse negative numbers and fractions", () => {
    expect(() => factorial(171)).toThrow("number must be a whole number from 0 to 170; got 171");
    expect(() => factorial(-1)).toThrow("got -1");
    expect(() => factorialRecursive(2.5)).toThrow(
      "n must be a whole number from 0 to 170; got 2.5",
    );
  });
});

describe("binomial_coefficient", () => {
  it.each([
    { n: 5, k: 2, expected: 10 },
    { n: 49, k: 6, expected: 13_983_816 },
    { n: 52, k: 5, expected: 2_598_960 },
    { n: 0, k: 0, expected: 1 },
    { n: 3, k: 4, expected: 0 },
    { n: 2 ** 53 - 1, k: 2 ** 53 - 2, expected: 2 ** 53 - 1 },
    { n: 56, k: 28, expected: 7_648_690_600_760_440 },
  ])("of $n over $k is $expected", ({ n, k, expected }) => {
    expect(binomialCoefficient(n, k)).toBe(expected);
  });

  it("refuses results beyond 2^53 - 1 at once, however large the arguments", () => {
    expect(() => binomialCoefficient(57, 28)).toThrow("too large to be exact");
    expect(() => binomialCoefficient(2 ** 53 - 1, 2 ** 52)).toThrow("too large to be exact");
    expect(() => binomialCoefficient(-1, 0)).toThrow("n must be a whole number from 0");
  });

  it("is the same for k and n - k, and the sum of its two parents", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 55 }), fc.nat(54), (n, some) => {
        const k = 1 + (some % n);
        const parents = binomialCoefficient(n - 1, k - 1) + binomialCoefficient(n - 1, k);
        expect(binomialCoefficient(n, k)).toBe(parents);
        expect(binomialCoefficient(n, n - k)).toBe(parents);
      }),
    );
  });
});

describe("pascals_triangle_row", () => {
  it("counts the rows from 0", () => {
    expect(pascalsTriangleRow(0)).toEqual([1]);
    expect(pascalsTriangleRow(4)).toEqual([1, 4, 6, 4, 1]);
  });

  it("adds up to a power of two in every row", () => {
    for (let n = 0; n <= 52; n += 1) {
      expect(pascalsTriangleRow(n).reduce((sum, number) => sum + number)).toBe(2 ** n);
    }
  });

  it("ends at row 56, the last that is exact", () => {
    expect(pascalsTriangleRow(56)).toHaveLength(57);
    expect(() => pascalsTriangleRow(57)).toThrow("from 0 to 56; got 57");
  });
});

describe("catalan_number", () => {
  it("knows the sequence", () => {
    const numbers = Array.from({ length: 8 }, (_, n) => catalanNumber(n));
    expect(numbers).toEqual([1, 1, 2, 5, 14, 42, 132, 429]);
    expect(catalanNumber(30)).toBe(3_814_986_502_092_304);
  });

  it("follows the recurrence of Segner", () => {
    for (let n = 0; n < 20; n += 1) {
      let sum = 0;
      for (let i = 0; i <= n; i += 1) sum += catalanNumber(i) * catalanNumber(n - i);
      expect(catalanNumber(n + 1)).toBe(sum);
    }
  });

  it("ends at 30", () => {
    expect(() => catalanNumber(31)).toThrow("n must be a whole number from 0 to 30; got 31");
  });
});
