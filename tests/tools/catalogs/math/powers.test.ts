import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  eulerNumberApproximation,
  log,
  nthRoot,
  power,
  sqrt,
} from "../../../../tools/catalogs/math/powers.js";

const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

describe("power", () => {
  it.each([
    { base: 5, exponent: 2, expected: 25 },
    { base: 2, exponent: 0.5, expected: Math.SQRT2 },
    { base: -2, exponent: 3, expected: -8 },
    { base: 4, exponent: -1, expected: 0.25 },
    { base: 0, exponent: 0, expected: 1 },
  ])("raises $base to the power of $exponent", ({ base, exponent, expected }) => {
    expect(power(base, exponent)).toBe(expected);
  });

  it("refuses what has no real result", () => {
    expect(() => power(-8, 0.5)).toThrow("-8 has no real power with the fractional exponent 0.5");
    expect(() => power(0, -1)).toThrow("base must not be 0 with a negative exponent");
    expect(() => power(10, 400)).toThrow("the result is too large");
  });
});

describe("sqrt", () => {
  it("finds the square root", () => {
    expect([sqrt(144), sqrt(2), sqrt(0)]).toEqual([12, Math.SQRT2, 0]);
  });

  it("says that a negative number has no real square root", () => {
    expect(() => sqrt(-4)).toThrow("-4 has no real square root");
  });
});

describe("nth_root", () => {
  it.each([
    { number: 216, root: 3, expected: 6 },
    { number: 16, root: 2, expected: 4 },
    { number: 1e10, root: 5, expected: 100 },
    { number: -32, root: 5, expected: -2 },
    { number: -8, root: -3, expected: -0.5 },
    { number: 0, root: 7, expected: 0 },
    { number: 7, root: 1, expected: 7 },
  ])("takes the root of degree $root of $number", ({ number, root, expected }) => {
    expect(nthRoot(number, root)).toBe(expected);
  });

  it("is undone by the power", () => {
    fc.assert(
      fc.property(positive, fc.integer({ min: 1, max: 12 }), (number, root) => {
        expect(power(nthRoot(number, root), root) / number).toBeCloseTo(1, 12);
      }),
    );
  });

  it("finds whole roots exactly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 2, max: 10 }),
        (base, root) => {
          expect(nthRoot(base ** root, root)).toBe(base);
        },
      ),
    );
  });

  it("refuses what has no real root", () => {
    expect(() => nthRoot(-16, 4)).toThrow("-16 has no real root of degree 4");
    expect(() => nthRoot(-8, 2.5)).toThrow("-8 has no real root of degree 2.5");
    expect(() => nthRoot(8, 0)).toThrow("root must not be 0");
    expect(() => nthRoot(0, -2)).toThrow("number must not be 0 with a negative root");
  });
});

describe("log", () => {
  it.each([
    { number: Math.E, base: undefined, expected: 1 },
    { number: 1000, base: 10, expected: 3 },
    { number: 1024, base: 2, expected: 10 },
    { number: 125, base: 5, expected: 3 },
    { number: 8, base: 0.5, expected: -3 },
    { number: 1, base: 7, expected: 0 },
  ])("of $number to the base $base is $expected", ({ number, base, expected }) => {
    expect(log(number, base)).toBe(expected);
  });

  it("turns products into sums", () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        expect(log(a * b)).toBeCloseTo(log(a) + log(b), 10);
      }),
    );
  });

  it("refuses zero, negative numbers and the base 1", () => {
    expect(() => log(0)).toThrow("number must be greater than 0; got 0");
    expect(() => log(5, -2)).toThrow("base must be greater than 0; got -2");
    expect(() => log(5, 1)).toThrow("base must not be 1");
  });
});

describe("euler_number_approximation", () => {
  it("adds up the first terms of the series", () => {
    expect([1, 2, 3].map(eulerNumberApproximation)).toEqual([1, 2, 2.5]);
    expect(eulerNumberApproximation(5)).toBeCloseTo(65 / 24, 14);
  });

  it("reaches the double next to e and stays there", () => {
    expect(eulerNumberApproximation(20)).toBe(Math.E);
    expect(eulerNumberApproximation(1000)).toBe(Math.E);
  });

  it("wants from 1 to 1000 terms", () => {
    expect(() => eulerNumberApproximation(0)).toThrow("from 1 to 1000; got 0");
    expect(() => eulerNumberApproximation(1001)).toThrow("from 1 to 1000; got 1001");
  });
});
