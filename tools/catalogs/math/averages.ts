import {
  byPlace,
  finiteResult,
  requireNotNegative,
  requireNumbers,
  requirePositive,
} from "./checks.js";
import { nthRoot } from "./powers.js";
import { accurateSum, ascending, meanOf } from "./summation.js";

/** Between these, a product is neither near overflow nor near the loss of bits to underflow. */
const SAFE_PRODUCT = { min: 1e-280, max: 1e280 };

/**
 * Calculate the mean of a list of numbers: the arithmetic average.
 *
 * @param numbers - list of numbers, at least one
 * @returns the sum of the numbers divided by their count
 */
export function mean(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(meanOf(numbers));
}

/**
 * Calculate the geometric mean of a list of numbers: the average for growth factors and ratios.
 *
 * @param numbers - list of numbers, at least one, none negative
 * @returns the nth root of the product of the n numbers
 */
export function geometricMean(numbers: number[]): number {
  requireNumbers({ numbers });
  requireNotNegative(byPlace("numbers", numbers));
  if (numbers.includes(0)) return 0;
  const product = productWithinRange(numbers);
  return product === undefined
    ? finiteResult(Math.exp(meanOf(numbers.map((number) => Math.log(number)))))
    : nthRoot(product, numbers.length);
}

/**
 * Calculate the harmonic mean of a list of numbers: the average for speeds and rates.
 *
 * @param numbers - list of numbers, at least one, all greater than zero
 * @returns the count of the numbers divided by the sum of their reciprocals
 */
export function harmonicMean(numbers: number[]): number {
  requireNumbers({ numbers });
  requirePositive(byPlace("numbers", numbers));
  // Relative to the smallest number no reciprocal overflows.
  const smallest = numbers.reduce((least, number) => Math.min(least, number), Infinity);
  const reciprocals = accurateSum(numbers.map((number) => smallest / number));
  return finiteResult(smallest * (numbers.length / reciprocals));
}

/**
 * Find the median of a list of numbers, the middle value.
 *
 * @param numbers - list of numbers in any order, at least one
 * @returns the middle number; the mean of the two middle ones when their count is even
 */
export function median(numbers: number[]): number {
  requireNumbers({ numbers });
  const sorted = ascending(numbers);
  const half = sorted.length / 2;
  return finiteResult(meanOf(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)));
}

/**
 * Find the mode of a list of numbers, the most frequent value.
 *
 * @param numbers - list of numbers, at least one
 * @returns list of the most frequent values, smallest first; all values when none occurs twice
 */
export function mode(numbers: number[]): number[] {
  requireNumbers({ numbers });
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const highest = [...counts.values()].reduce((most, count) => Math.max(most, count), 0);
  return ascending([...counts.keys()].filter((number) => counts.get(number) === highest));
}

/** A root of the product is more exact than logarithms, as long as the product fits on its way. */
function productWithinRange(numbers: readonly number[]): number | undefined {
  let product = 1;
  for (const number of numbers) {
    product *= number;
    if (product < SAFE_PRODUCT.min || product > SAFE_PRODUCT.max) return undefined;
  }
  return product;
}
