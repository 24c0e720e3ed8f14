import { finiteResult, requireNumbers } from "./checks.js";
import { ascending, meanOf, squaredDeviations } from "./summation.js";

/**
 * Calculate the variance of a list of numbers, taken as the whole population.
 *
 * @param numbers - list of all numbers of the population, at least one
 * @returns the mean of the squared distances from the mean (divided by the count n)
 */
export function variance(numbers: number[]): number {
  requireNumbers({ numbers });
  return finiteResult(squaredDeviations(numbers) / numbers.length);
}

/**
 * Calculate the standard deviation of a list of numbers, taken as the whole population.
 *
 * @param numbers - list of all numbers of the population, at least one
 * @returns the square root of the population variance, in the unit of the numbers
 * @example the standard deviation of 2, 4, 4, 4, 5, 5, 7 and 9 is 2
 */
export function standardDeviation(numbers: number[]): number {
  return Math.sqrt(variance(numbers));
}

/**
 * Estimate the variance from a sample of numbers.
 *
 * @param numbers - list of the numbers in the sample, at least two
 * @returns the sum of the squared distances from the mean divided by n - 1 (Bessel's correction)
 */
export function sampleVariance(numbers: number[]): number {
  requireNumbers({ numbers }, { minLength: 2 });
  return finiteResult(squaredDeviations(numbers) / (numbers.length - 1));
}

/**
 * Estimate the standard deviation from a sample of numbers.
 *
 * @param numbers - list of the numbers in the sample, at least two
 * @returns the square root of the sample variance, in the unit of the numbers
 */
export function sampleStandardDeviation(numbers: number[]): number {
  return Math.sqrt(sampleVariance(numbers));
}

/**
 * Calculate the coefficient of variation of a list of numbers: the standard deviation relative to the mean.
 *
 * @param numbers - list of numbers, at least one, whose mean is not zero
 * @returns the population standard deviation divided by the size of the mean, as a fraction: 0.1 means 10 %
 */
export function coefficientOfVariation(numbers: number[]): number {
  const deviation = standardDeviation(numbers);
  const center = meanOf(numbers);
  if (center === 0) {
    throw new RangeError(
      "numbers must not have the mean 0: the variation relative to it is undefined",
    );
  }
  return finiteResult(deviation / Math.abs(center));
}

/**
 * Calculate the mean absolute deviation of a list of numbers: the average distance from their mean.
 *
 * @param numbers - list of numbers, at least one
 * @returns the mean of the distances from the arithmetic mean, in the unit of the numbers
 */
export function meanAbsoluteDeviation(numbers: number[]): number {
  requireNumbers({ numbers });
  const center = meanOf(numbers);
  return finiteResult(meanOf(numbers.map((number) => Math.abs(number - center))));
}

/**
 * Calculate the interquartile range (IQR) of a list of numbers: the width of its middle half.
 *
 * @param numbers - list of numbers in any order, at least one
 * @returns the third quartile less the first; quartiles by linear interpolation between the sorted
 *   numbers (the inclusive method, type 7 of Hyndman and Fan)
 */
export function interquartileRange(numbers: number[]): number {
  requireNumbers({ numbers });
  const sorted = ascending(numbers);
  return finiteResult(quantile(sorted, 0.75) - quantile(sorted, 0.25));
}

/** R. Hyndman, Y. Fan: Sample Quantiles in Statistical Packages (1996), definition 7. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return NaN;
  return below + (above - below) * (position - Math.floor(position));
}
