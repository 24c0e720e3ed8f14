import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as sequences from "../../../../tools/catalogs/math/sequences.js";

describe("the Fibonacci numbers", () => {
  it("begin with 0 and 1", () => {
    expect(sequences.fibonacciSequence(10)).toEqual([0, 1, 1, 2, 3, 5, 8, 13, 21, 34]);
    expect(sequences.fibonacciSequence(0)).toEqual([]);
    expect([0, 1, 2, 10, 78].map(sequences.fibonacciRecursive)).toEqual([
      0, 1, 1, 55, 8_944_394_323_791_464,
    ]);
  });

  it("are the same one by one and as a list", () => {
    const oneByOne = Array.from({ length: 79 }, (_, n) => sequences.fibonacciRecursive(n));
    expect(sequences.fibonacciSequence(79)).toEqual(oneByOne);
  });

  it("end where they would not be exact any more", () => {
    expect(() => sequences.fibonacciSequence(80)).toThrow("from 0 to 79; got 80");
    expect(() => sequences.fibonacciRecursive(79)).toThrow("from 0 to 78; got 79");
    expect(() => sequences.fibonacciRecursive(-1)).toThrow("from 0 to 78; got -1");
  });
});

describe("arithmetic sequences", () => {
  const term = fc.integer({ min: -1000, max: 1000 });

  it("know their terms and sums", () => {
    expect(sequences.nthTermArithmeticSequence(10, 3, 4)).toBe(39);
    expect(sequences.sumOfArithmeticSequence(10, 3, 4)).toBe(210);
    expect(sequences.sumOfArithmeticSequence(0, 3, 4)).toBe(0);
  });

  it("sum to what adding term by term gives", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), term, term, (n, a1, d) => {
        let sum = 0;
        for (let i = 1; i <= n; i += 1) sum += sequences.nthTermArithmeticSequence(i, a1, d);
        expect(sequences.sumOfArithmeticSequence(n, a1, d)).toBe(sum);
      }),
    );
  });

  it("refuse positions below 1 and negative counts", () => {
    expect(() => sequences.nthTermArithmeticSequence(0, 1, 1)).toThrow("n must be a whole number");
    expect(() => sequences.sumOfArithmeticSequence(-1, 1, 1)).toThrow("got -1");
  });
});

describe("geometric sequences", () => {
  it("know their terms and sums", () => {
    expect(sequences.nthTermGeometricSequence(5, 3, 2)).toBe(48);
    expect(sequences.sumOfGeometricSequence(5, 3, 2)).toBe(93);
    expect(sequences.sumOfGeometricSequence(4, 2, 1)).toBe(8);
    expect(sequences.sumOfGeometricSequence(4, 2, -1)).toBe(0);
    expect(sequences.sumOfGeometricSequence(0, 2, 3)).toBe(0);
    expect(sequences.sumOfGeometricSequence(1000, 1, 0.5)).toBe(2);
  });

  it("sum to what adding term by term gives, near the ratio 1 too", () => {
    const ratio = fc.oneof(
      fc.double({ min: 0.2, max: 2, noNaN: true }),
      fc.double({ min: -1e-6, max: 1e-6, noNaN: true }).map((offset) => 1 + offset),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), ratio, (n, r) => {
        let sum = 0;
        for (let i = n; i >= 1; i -= 1) sum += sequences.nthTermGeometricSequence(i, 1, r);
        expect(sequences.sumOfGeometricSequence(n, 1, r) / sum).toBeCloseTo(1, 12);
      }),
    );
  });

  it("refuse positions below 1, negative counts and terms that are too large", () => {
    expect(() => sequences.nthTermGeometricSequence(0, 1, 2)).toThrow("n must be a whole number");
    expect(() => sequences.sumOfGeometricSequence(-1, 1, 2)).toThrow("got -1");
    expect(() => sequences.nthTermGeometricSequence(2000, 1, 2)).toThrow("the result is too large");
    expect(() => sequences.sumOfGeometricSequence(2000, 1, 2)).toThrow("the result is too large");
  });
});

describe("pythagorean_triples", () => {
  it("lists all triples in order, multiples of smaller ones included", () => {
    expect(sequences.pythagoreanTriples(20)).toEqual([
      [3, 4, 5],
      [6, 8, 10],
      [5, 12, 13],
      [9, 12, 15],
      [8, 15, 17],
      [12, 16, 20],
    ]);
    expect(sequences.pythagoreanTriples(4)).toEqual([]);
  });

  it("holds right triangles only and as many as are known", () => {
    const triples = sequences.pythagoreanTriples(1000);
    expect(triples).toHaveLength(881);
    expect(triples.every(([a, b, c]) => a < b && a * a + b * b === c * c)).toBe(true);
  });

  it("ends at a hypotenuse of 2000", () => {
    expect(() => sequences.pythagoreanTriples(2001)).toThrow("from 0 to 2000; got 2001");
  });
});
