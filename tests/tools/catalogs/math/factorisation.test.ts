import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  factorise,
  hasOnlyTrivialDivisors,
  MAX_FACTORED,
  primesUpTo,
} from "../../../../tools/catalogs/math/factorisation.js";

describe("the factorisation", () => {
  it("lists prime powers, smallest prime first", () => {
    expect(factorise(360)).toEqual([
      { prime: 2, exponent: 3 },
      { prime: 3, exponent: 2 },
      { prime: 5, exponent: 1 },
    ]);
    expect(factorise(1)).toEqual([]);
  });

  it("takes the largest prime and the largest square of a prime within its limit apart", () => {
    expect(factorise(99_999_999_999_973)).toEqual([{ prime: 99_999_999_999_973, exponent: 1 }]);
    expect(factorise(9_999_991 ** 2)).toEqual([{ prime: 9_999_991, exponent: 2 }]);
  });

  it("multiplies back to the number, with primes only", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (number) => {
        const powers = factorise(number);
        expect(
          powers.reduce((product, { prime, exponent }) => product * prime ** exponent, 1),
        ).toBe(number);
        for (const { prime } of powers) expect(hasOnlyTrivialDivisors(prime)).toBe(true);
      }),
    );
  });

  it("has a limit below which divisor sums stay exact", () => {
    expect(MAX_FACTORED * 50).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });
});

describe("the sieve", () => {
  it("finds the same primes as the division by every smaller number", () => {
    const slow = Array.from({ length: 501 }, (_, number) => number).filter(isPrimeByDefinition);
    expect(primesUpTo(500)).toEqual(slow);
    expect(slow.every(hasOnlyTrivialDivisors)).toBe(true);
  });

  it("includes its limit and is empty below 2", () => {
    expect(primesUpTo(7)).toEqual([2, 3, 5, 7]);
    expect([-1, 0, 1].flatMap(primesUpTo)).toEqual([]);
  });
});

function isPrimeByDefinition(number: number): boolean {
  for (let divisor = 2; divisor < number; divisor += 1) if (number % divisor === 0) return false;
  return number > 1;
}
