import { exactResult, finiteResult, requireWhole } from "./checks.js";

/** F(79) is beyond 2^53. */
const MAX_FIBONACCI_POSITION = 78;

/** There are 881 triples up to 1,000 and 1,981 up to here. */
const MAX_HYPOTENUSE = 2000;

/**
 * Generate the Fibonacci sequence, a list of Fibonacci numbers.
 *
 * @param n - how many numbers to list, from 0 to 79
 * @returns list of the first n Fibonacci numbers, beginning with 0, 1, 1, 2
 */
export function fibonacciSequence(n: number): number[] {
  requireWhole({ n }, { min: 0, max: MAX_FIBONACCI_POSITION + 1 });
  const numbers: number[] = [];
  let [current, next] = [0, 1];
  while (numbers.length < n) {
    numbers.push(current);
    [current, next] = [next, current + next];
  }
  return numbers;
}

/**
 * Calculate the nth Fibonacci number by recursion.
 *
 * @param n - position in the sequence 0, 1, 1, 2, 3, …, counted from 0, at most 78
 * @returns the Fibonacci number at that position: 0 for 0, 1 for 1, 55 for 10
 */
export function fibonacciRecursive(n: number): number {
  requireWhole({ n }, { min: 0, max: MAX_FIBONACCI_POSITION });
  return fibonacciFrom({ current: 0, next: 1, steps: n });
}

/**
 * Find the nth term of an arithmetic sequence, in which each term grows by the same difference.
 *
 * @param n - position of the term, a whole number from 1
 * @param a1 - first term of the sequence
 * @param d - common difference between one term and the next
 * @returns the nth term
 */
export function nthTermArithmeticSequence(n: number, a1: number, d: number): number {
  requireWhole({ n }, { min: 1 });
  return finiteResult(a1 + (n - 1) * d);
}

/**
 * Calculate the sum of the first n terms of an arithmetic sequence, in which each term grows by the same difference.
 *
 * @param n - how many terms to add, a whole number, zero or more
 * @param a1 - first term of the sequence
 * @param d - common difference between one term and the next
 * @returns the sum of the first n terms
 */
export function sumOfArithmeticSequence(n: number, a1: number, d: number): number {
  requireWhole({ n }, { min: 0 });
  return n === 0 ? 0 : finiteResult((n * (2 * a1 + (n - 1) * d)) / 2);
}

/**
 * Find the nth term of a geometric sequence, in which each term is multiplied by the same ratio.
 *
 * @param n - position of the term, a whole number from 1
 * @param a1 - first term of the sequence
 * @param r - common ratio of one term to the one before
 * @returns the nth term
 */
export function nthTermGeometricSequence(n: number, a1: number, r: number): number {
  requireWhole({ n }, { min: 1 });
  return a1 === 0 ? 0 : finiteResult(a1 * r ** (n - 1));
}

/**
 * Calculate the sum of the first n terms of a geometric sequence, in which each term is multiplied by the same ratio.
 *
 * @param n - how many terms to add, a whole number, zero or more
 * @param a1 - first term of the sequence
 * @param r - common ratio of one term to the one before
 * @returns the sum of the first n terms
 */
export function sumOfGeometricSequence(n: number, a1: number, r: number): number {
  requireWhole({ n }, { min: 0 });
  return a1 === 0 ? 0 : finiteResult(a1 * powersAdded(n, r));
}

/**
 * List all Pythagorean triples up to a maximum: the right triangles with three whole sides.
 *
 * @param n - largest hypotenuse, a whole number from 0 to 2000
 * @returns list of triples [a, b, c] with a² + b² = c² and a < b < c, in order of c, then a
 * @example up to 13 there are 3, 4, 5 and 6, 8, 10 and 5, 12, 13
 */
export function pythagoreanTriples(n: number): [number, number, number][] {
  requireWhole({ n }, { min: 0, max: MAX_HYPOTENUSE });
  const triples: [number, number, number][] = [];
  for (let c = 5; c <= n; c += 1) {
    for (let a = 3; 2 * a * a < c * c; a += 1) {
      const b = Math.sqrt(c * c - a * a);
      if (Number.isInteger(b)) triples.push([a, b, c]);
    }
  }
  return triples;
}

function fibonacciFrom(at: { current: number; next: number; steps: number }): number {
  if (at.steps === 0) return at.current;
  return fibonacciFrom({ current: at.next, next: at.current + at.next, steps: at.steps - 1 });
}

/**
 * 1 + r + r² + … with n terms. Close to 1 the quotient of two small differences would lose digits;
 * expm1 and log1p keep them.
 */
function powersAdded(n: number, r: number): number {
  if (r === 1) return n;
  if (Math.abs(r - 1) < 0.1) return Math.expm1(n * Math.log1p(r - 1)) / (r - 1);
  return (r ** n - 1) / (r - 1);
}

/**
 * Calculate the sum of the natural numbers from 1 to n.
 *
 * @param n - how many numbers to add, a whole number, zero or more
 * @returns the sum of 1 to n; an error beyond 2^53 - 1
 */
export function sumOfNaturalNumbers(n: number): number {
  requireWhole({ n }, { min: 0 });
  return exactResult(triangular(n));
}

/**
 * Add up the squares of the first n natural numbers, a sum of squares.
 *
 * @param n - how many squares to add, a whole number, zero or more
 * @returns the sum of the first n squares; an error beyond 2^53 - 1
 */
export function sumOfSquares(n: number): number {
  requireWhole({ n }, { min: 0 });
  const count = BigInt(n);
  return exactResult((count * (count + 1n) * (2n * count + 1n)) / 6n);
}

/**
 * Calculate the sum of the first n squares.
 *
 * @param n - how many squares to add, a whole number, zero or more
 * @returns the sum of the first n squares, the same as that of sum_of_squares
 */
export function sumOfNSquares(n: number): number {
  return sumOfSquares(n);
}

/**
 * Add up the cubes of the first n natural numbers, a sum of cubes.
 *
 * @param n - how many cubes to add, a whole number, zero or more
 * @returns the sum of the first n cubes; an error beyond 2^53 - 1
 */
export function sumOfCubes(n: number): number {
  requireWhole({ n }, { min: 0 });
  return exactResult(triangular(n) ** 2n);
}

/**
 * Calculate the sum of the first n cubes.
 *
 * @param n - how many cubes to add, a whole number, zero or more
 * @returns the sum of the first n cubes, the same as that of sum_of_cubes
 */
export function sumOfNCubes(n: number): number {
  return sumOfCubes(n);
}

/**
 * Calculate the sum of the first n odd numbers.
 *
 * @param n - how many odd numbers to add, a whole number, zero or more
 * @returns the sum of the first n odd numbers; an error beyond 2^53 - 1
 * @example the first 4 odd numbers add up to 16
 */
export function sumOfFirstNOddNumbers(n: number): number {
  requireWhole({ n }, { min: 0 });
  return exactResult(BigInt(n) ** 2n);
}

/**
 * Calculate the sum of the first n even numbers.
 *
 * @param n - how many even numbers to add, a whole number, zero or more
 * @returns the sum of the first n positive even numbers; an error beyond 2^53 - 1
 * @example the first 4 even numbers add up to 20
 */
export function sumOfFirstNEvenNumbers(n: number): number {
  requireWhole({ n }, { min: 0 });
  return exactResult(2n * triangular(n));
}

function triangular(n: number): bigint {
  return (BigInt(n) * (BigInt(n) + 1n)) / 2n;
}
