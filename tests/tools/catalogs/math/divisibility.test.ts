import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gcd,
  gcdExtended,
  isEven,
  isOdd,
  lcm,
  lcmExtended,
} from "../../../../tools/catalogs/math/divisibility.js";

const whole = fc.integer({ min: -1e7, max: 1e7 });

describe("is_even and is_odd", () => {
  it("tell even from odd, below zero too", () => {
    expect([0, 2, -4, 2 ** 53 - 2].every(isEven)).toBe(true);
    expect([1, -3, 2 ** 53 - 1].every(isOdd)).toBe(true);
  });

  it("always say the opposite of one another", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(isEven(number)).toBe(!isOdd(number));
      }),
    );
  });

  it("refuse numbers with a fraction", () => {
    expect(() => isEven(2.5)).toThrow("number must be a whole number");
    expect(() => isOdd(2.5)).toThrow("number must be a whole number");
  });
});

describe("gcd and lcm", () => {
  it.each([
    { a: 12, b: 18, divisor: 6, multiple: 36 },
    { a: 7, b: 13, divisor: 1, multiple: 91 },
    { a: -12, b: 18, divisor: 6, multiple: 36 },
    { a: 0, b: 5, divisor: 5, multiple: 0 },
    { a: 0, b: 0, divisor: 0, multiple: 0 },
  ])("of $a and $b are $divisor and $multiple", ({ a, b, divisor, multiple }) => {
    expect(gcd(a, b)).toBe(divisor);
    expect(lcm(a, b)).toBe(multiple);
    expect(lcmExtended(a, b)).toBe(multiple);
  });

  it("multiply to the product of the numbers", () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(gcd(a, b) * lcm(a, b)).toBe(Math.abs(a * b));
      }),
    );
  });

  it("refuse fractions and multiples that are too large to be exact", () => {
    expect(() => gcd(1.5, 2)).toThrow("a must be a whole number");
    expect(() => lcm(2 ** 53 - 1, 2 ** 53 - 2)).toThrow("too large to be exact");
  });
});

describe("gcd_extended", () => {
  it("finds the coefficients of Bezout's identity", () => {
    expect(gcdExtended(240, 46)).toEqual({ gcd: 2, x: -9, y: 47 });
    expect(gcdExtended(0, 0)).toEqual({ gcd: 0, x: 1, y: 0 });
    expect(gcdExtended(-6, 0)).toEqual({ gcd: 6, x: -1, y: 0 });
  });

  it("fulfils the identity exactly for all integers that a double holds", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        const identity = gcdExtended(a, b);
        const sum = BigInt(a) * BigInt(identity.x) + BigInt(b) * BigInt(identity.y);
        expect(identity.gcd).toBe(gcd(a, b));
        expect(Number(sum)).toBe(identity.gcd);
      }),
    );
  });
});
