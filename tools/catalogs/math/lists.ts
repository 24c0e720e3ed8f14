import { byPlace, exactResult, finiteResult, requireNumbers, requireWhole } from "./checks.js";
import { accurateSum, ascending } from "./summation.js";

/**
 * Calculate the sum of a whole list of numbers.
 *
 * @param numbers - list of the numbers to add, at least one
 * @returns the sum of all numbers
 */
export function sumOfList(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(accurateSum(numbers));
}

/**
 * Calculate the product of a whole list of numbers.
 *
 * @param numbers - list of the numbers to multiply, at least one
 * @returns the product of all numbers
 */
export function productOfNumbers(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(numbers.reduce((product, number) => product * number, 1));
}

/**
 * Calculate the sum of the squares of given numbers, each squared and then added.
 *
 * @param numbers - list of the numbers to square and add, at least one
 * @returns the sum of the squared numbers
 * @example the sum of the squares of 3 and 5 is 34
 */
export function sumOfSquaresOfList(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(accurateSum(numbers.map((number) => number ** 2)));
}

/**
 * Calculate the sum of those numbers in a list that are even.
 *
 * @param numbers - list of whole numbers, at least one
 * @returns the sum of the even numbers among them; 0 when there is none
 */
export function sumOfEvenNumbers(numbers: number[]): number {
  requireWholeNumbers(numbers);
  return exactSum(numbers.filter((number) => number % 2 === 0));
}

/**
 * Calculate the sum of those numbers in a list that are odd.
 *
 * @param numbers - list of whole numbers, at least one
 * @returns the sum of the odd numbers among them; 0 when there is none
 */
export function sumOfOddNumbers(numbers: number[]): number {
  requireWholeNumbers(numbers);
  return exactSum(numbers.filter((number) => number % 2 !== 0));
}

/**
 * Find the smallest number in a list: the minimum.
 *
 * @param numbers - list of numbers, at least one
 * @returns the smallest of the numbers
 */
export function minimum(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(extent(numbers).smallest);
}

/**
 * Find the largest number in a list: the maximum.
 *
 * @param numbers - list of numbers, at least one
 * @returns the largest of the numbers
 */
export function maximum(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(extent(numbers).largest);
}

/**
 * Calculate the range of a list of numbers, from the smallest to the largest.
 *
 * @param numbers - list of numbers, at least one
 * @returns the largest number less the smallest; 0 for a single number
 */
export function rangeOfNumbers(numbers: number[]): number {
  requireNumbers({ numbers });
  const { smallest, largest } = extent(numbers);
  return finiteResult(largest - smallest);
}

/**
 * Find how far the two most distant numbers of a list are apart, their greatest difference.
 *
 * @param numbers - list of numbers, at least two
 * @returns the greatest difference, zero or more
 */
export function greatestDifference(numbers: number[]): number {
  requireNumbers({ numbers }, { minLength: 2 });
  const { smallest, largest } = extent(numbers);
  return finiteResult(largest - smallest);
}

/**
 * Sort a list of numbers in ascending order, smallest first.
 *
 * @param numbers - list of numbers, at least one
 * @returns the same numbers, smallest first
 */
export function sortNumbers(numbers: number[]): number[] {
  requireNumbers({ numbers });
  return ascending(numbers);
}

function requireWholeNumbers(numbers: number[]): void {
  requireNumbers({ numbers });
  requireWhole(byPlace("numbers", numbers));
}

function exactSum(numbers: readonly number[]): number {
  return exactResult(numbers.reduce((sum, number) => sum + BigInt(number), 0n));
}

/** Not Math.min(...list), which would overflow the call stack with a long list. */
function extent(numbers: readonly number[]): { smallest: number; largest: number } {
  return {
    smallest: numbers.reduce((smallest, number) => Math.min(smallest, number), Infinity),
    largest: numbers.reduce((largest, number) => Math.max(largest, number), -Infinity),
  };
}
