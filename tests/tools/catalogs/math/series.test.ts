import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as series from "../../../../tools/catalogs/math/series.js";

const SUMS = [
  { tool: "sum_of_natural_numbers", sum: series.sumOfNaturalNumbers, term: (i: number) => i },
  { tool: "sum_of_squares", sum: series.sumOfSquares, term: (i: number) => i ** 2 },
  { tool: "sum_of_n_squares", sum: series.sumOfNSquares, term: (i: number) => i ** 2 },
  { tool: "sum_of_cubes", sum: series.sumOfCubes, term: (i: number) => i ** 3 },
  { tool: "sum_of_n_cubes", sum: series.sumOfNCubes, term: (i: number) => i ** 3 },
  {
    tool: "sum_of_first_n_odd_numbers",
    sum: series.sumOfFirstNOddNumbers,
    term: (i: number) => 2 * i - 1,
  },
  {
    tool: "sum_of_first_n_even_numbers",
    sum: series.sumOfFirstNEvenNumbers,
    term: (i: number) => 2 * i,
  },
];

describe.each(SUMS)("$tool", ({ sum, term }) => {
  it("gives what adding term by term gives", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (n) => {
        let total = 0;
        for (let i = 1; i <= n; i += 1) total += term(i);
        expect(sum(n)).toBe(total);
      }),
    );
  });

  it("refuses negative counts, fractions and sums that are not exact", () => {
    expect(() => sum(-1)).toThrow("n must be a whole number from 0");
    expect(() => sum(1.5)).toThrow("got 1.5");
    expect(() => sum(2 ** 53 - 1)).toThrow("too large to be exact");
  });
});

describe("the sums of many terms", () => {
  it("are the published ones", () => {
    expect(series.sumOfNaturalNumbers(100)).toBe(5050);
    expect(series.sumOfSquares(10)).toBe(385);
    expect(series.sumOfCubes(10)).toBe(3025);
    expect(series.sumOfFirstNOddNumbers(50)).toBe(2500);
    expect(series.sumOfFirstNEvenNumbers(50)).toBe(2550);
  });

  it("stay exact to the last integer that a double holds", () => {
    expect(series.sumOfNaturalNumbers(2 ** 27 - 1)).toBe(2 ** 53 - 2 ** 26);
    expect(() => series.sumOfNaturalNumbers(2 ** 27)).toThrow("too large to be exact");
  });
});
