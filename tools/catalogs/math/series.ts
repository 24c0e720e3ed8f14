import { exactResult, requireWhole } from "./checks.js";

/**
 * Calculate the sum of the natural numbers from 1 to n.
 *
 * @name sum_of_natural_numbers
 * @effects read
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
 * @name sum_of_squares
 * @effects read
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
 * @name sum_of_n_squares
 * @effects read
 * @param n - how many squares to add, a whole number, zero or more
 * @returns the sum of the first n squares, the same as that of sum_of_squares
 */
export function sumOfNSquares(n: number): number {
  return sumOfSquares(n);
}

/**
 * Add up the cubes of the first n natural numbers, a sum of cubes.
 *
 * @name sum_of_cubes
 * @effects read
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
 * @name sum_of_n_cubes
 * @effects read
 * @param n - how many cubes to add, a whole number, zero or more
 * @returns the sum of the first n cubes, the same as that of sum_of_cubes
 */
export function sumOfNCubes(n: number): number {
  return sumOfCubes(n);
}

/**
 * Calculate the sum of the first n odd numbers.
 *
 * @name sum_of_first_n_odd_numbers
 * @effects read
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
 * @name sum_of_first_n_even_numbers
 * @effects read
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
