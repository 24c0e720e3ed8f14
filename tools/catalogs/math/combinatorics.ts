import { exactResult, requireWhole } from "./checks.js";

/** 171! is beyond the largest double. */
const MAX_FACTORIAL = 170;

/** The 31st Catalan number is beyond 2^53. */
const MAX_CATALAN = 30;

/** The numbers in the middle of row 57 are beyond 2^53. */
const MAX_PASCAL_ROW = 56;

/**
 * Calculate the factorial of a whole number, the product of all numbers from 1 up to it.
 *
 * @param number - whole number from 0 to 170
 * @returns the factorial: exact up to 22!, from there on the nearest double
 */
export function factorial(number: number): number {
  requireWhole({ number }, { min: 0, max: MAX_FACTORIAL });
  return Number(factorialOf(BigInt(number)));
}

/**
 * Calculate the factorial of n by recursion.
 *
 * @param n - whole number from 0 to 170
 * @returns the factorial: exact up to 22!, from there on the nearest double
 */
export function factorialRecursive(n: number): number {
  requireWhole({ n }, { min: 0, max: MAX_FACTORIAL });
  return Number(factorialOf(BigInt(n)));
}

/**
 * Calculate the binomial coefficient "n choose k": in how many ways k of n items can be chosen.
 *
 * @param n - count of items, a whole number, zero or more
 * @param k - count of items to choose, a whole number, zero or more
 * @returns the count of combinations; 0 when k is above n; an error beyond 2^53 - 1
 * @example 2 of 5 items can be chosen in 10 ways
 */
export function binomialCoefficient(n: number, k: number): number {
  requireWhole({ n, k }, { min: 0 });
  return k > n ? 0 : choose(n, k);
}

/**
 * Generate a row of Pascal's triangle.
 *
 * @param n - number of the row, from 0 (the single 1 at the top) to 56
 * @returns list of the n + 1 numbers of the row
 * @example row 4 is 1, 4, 6, 4, 1
 */
export function pascalsTriangleRow(n: number): number[] {
  requireWhole({ n }, { min: 0, max: MAX_PASCAL_ROW });
  return Array.from({ length: n + 1 }, (_, k) => choose(n, k));
}

/**
 * Calculate the nth Catalan number, which counts balanced brackets, binary trees and the like.
 *
 * @param n - position in the sequence 1, 1, 2, 5, 14, …, from 0 to 30
 * @returns the Catalan number at that position
 */
export function catalanNumber(n: number): number {
  requireWhole({ n }, { min: 0, max: MAX_CATALAN });
  const [top, bottom] = [factorialOf(BigInt(2 * n)), factorialOf(BigInt(n))];
  return exactResult(top / (bottom * bottom * BigInt(n + 1)));
}

function factorialOf(number: bigint): bigint {
  return number <= 1n ? 1n : number * factorialOf(number - 1n);
}

/**
 * Every partial product is itself a binomial coefficient that is no larger than the result, and it
 * at least doubles with each step: too large a result is noticed after some 50 steps.
 */
function choose(n: number, k: number): number {
  let ways = 1n;
  for (let step = 1; step <= Math.min(k, n - k); step += 1) {
    ways = (ways * BigInt(n - step + 1)) / BigInt(step);
    exactResult(ways);
  }
  return exactResult(ways);
}
