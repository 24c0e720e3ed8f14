import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gcd } from "../../../../tools/catalogs/math/divisibility.js";
import * as primes from "../../../../tools/catalogs/math/primes.js";

const small = fc.integer({ min: 1, max: 3000 });

describe("is_prime and is_prime_number", () => {
  it.each([2, 3, 5, 97, 7919, 999_999_999_989])("recognise the prime %d", (prime) => {
    expect(primes.isPrime(prime)).toBe(true);
    expect(primes.isPrimeNumber(prime)).toBe(true);
  });

  it.each([-7, 0, 1, 4, 561, 1_000_000_007 * 3])("see that %d is not prime", (number) => {
    expect(primes.isPrime(number)).toBe(false);
    expect(primes.isPrimeNumber(number)).toBe(false);
  });

  it("name their bound and their own parameter", () => {
    expect(() => primes.isPrime(1e14 + 1)).toThrow(/^number .* to 100000000000000; got 1/u);
    expect(() => primes.isPrimeNumber(2.5)).toThrow(/^n .* got 2\.5$/u);
  });
});

describe("prime_factors", () => {
  it("lists each prime as often as it divides", () => {
    expect(primes.primeFactors(60)).toEqual([2, 2, 3, 5]);
    expect(primes.primeFactors(1)).toEqual([]);
    expect(() => primes.primeFactors(0)).toThrow("number must be a whole number from 1");
  });

  it("multiplies back to the number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (number) => {
        const factors = primes.primeFactors(number);
        expect(factors.reduce((product, factor) => product * factor, 1)).toBe(number);
        expect(factors.every(primes.isPrime)).toBe(true);
      }),
    );
  });
});

describe("nth_prime", () => {
  it.each([
    { n: 1, prime: 2 },
    { n: 6, prime: 13 },
    { n: 10, prime: 29 },
    { n: 1000, prime: 7919 },
    { n: 100_000, prime: 1_299_709 },
  ])("finds the prime $prime at the position $n", ({ n, prime }) => {
    expect(primes.nthPrime(n)).toBe(prime);
  });

  it("counts the primes as the sieve lists them", () => {
    const listed = primes.primesUpToN(20_000);
    const found = listed.map((_, index) => primes.nthPrime(index + 1));
    expect(found).toEqual(listed);
  });

  it("wants a position from 1 to 100000", () => {
    expect(() => primes.nthPrime(0)).toThrow("from 1 to 100000; got 0");
    expect(() => primes.nthPrime(100_001)).toThrow("from 1 to 100000; got 100001");
  });
});

describe("prime_sieve and primes_up_to_n", () => {
  it("list the primes up to and with the limit", () => {
    expect(primes.primeSieve(13)).toEqual([2, 3, 5, 7, 11, 13]);
    expect(primes.primesUpToN(13)).toEqual([2, 3, 5, 7, 11, 13]);
    expect(primes.primeSieve(1)).toEqual([]);
  });

  it("find 78498 primes below a million and go no further", () => {
    expect(primes.primeSieve(1_000_000)).toHaveLength(78_498);
    expect(() => primes.primeSieve(1_000_001)).toThrow("from 0 to 1000000; got 1000001");
    expect(() => primes.primesUpToN(-1)).toThrow("from 0 to 1000000; got -1");
  });
});

describe("the functions of divisors", () => {
  it("agree with the division by every smaller number", () => {
    fc.assert(
      fc.property(small, (n) => {
        const upToN = Array.from({ length: n }, (_, index) => index + 1);
        const divisors = upToN.filter((candidate) => n % candidate === 0);
        const sum = divisors.reduce((total, divisor) => total + divisor, 0);
        expect(primes.numberOfDivisors(n)).toBe(divisors.length);
        expect(primes.sumOfDivisors(n)).toBe(sum);
        expect(primes.isPerfectNumber(n)).toBe(sum === 2 * n);
        expect(primes.eulerTotientFunction(n)).toBe(
          upToN.filter((candidate) => gcd(candidate, n) === 1).length,
        );
      }),
    );
  });

  it("know large perfect numbers", () => {
    expect([6, 28, 496, 8128, 33_550_336, 137_438_691_328].every(primes.isPerfectNumber)).toBe(
      true,
    );
    expect([-6, 0, 1, 12].some(primes.isPerfectNumber)).toBe(false);
  });

  it("give Gauss's sum: the totients of all divisors add up to the number", () => {
    fc.assert(
      fc.property(small, (n) => {
        let sum = 0;
        for (let d = 1; d <= n; d += 1) if (n % d === 0) sum += primes.eulerTotientFunction(d);
        expect(sum).toBe(n);
      }),
    );
  });

  it.each([primes.numberOfDivisors, primes.sumOfDivisors, primes.eulerTotientFunction])(
    "want a whole number from 1: %o",
    (count) => {
      expect(() => count(0)).toThrow(/^n must be a whole number from 1 .* got 0$/u);
    },
  );
});
