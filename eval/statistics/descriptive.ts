import type { Interval } from "./bootstrap.js";

/** Standard deviations of the normal distribution for 95 %. */
const Z = 1.959_963_984_540_054;
/** 0 of nothing. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Standard deviation of a sample (n - 1 below the line); 0 of fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

/**
 * Quantile by linear interpolation between the neighbouring values, as R's default (type 7).
 *
 * @param share between 0 and 1: 0.5 is the median
 * @returns NaN of nothing
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low = Number.NaN, high = low] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return low + (place % 1) * (high - low);
}

/**
 * Mean of the middle half: a quarter of the values is cut off at each end. A value across the cut counts with the part
 * inside, so that the mean is defined for any number of values (the 25 % trimmed mean: Rosenberger and Gasko, in
 * Hoaglin, Mosteller and Tukey, "Understanding Robust and Exploratory Data Analysis", 1983). The published evaluation
 * of Tulip Agent averages the middle of an unsorted list instead.
 *
 * @returns NaN of nothing
 */
export function interquartileMean(values: readonly number[]): number {
  const quarter = values.length / 4;
  const weighted = values
    .toSorted((a, b) => a - b)
    .reduce((sum, value, index) => {
      const inside = Math.min(index + 1, 3 * quarter) - Math.max(index, quarter);
      return inside > 0 ? sum + value * inside : sum;
    }, 0);
  return weighted / (2 * quarter);
}

/**
 * Wilson's 95 % score interval of a share (Wilson 1927; Brown, Cai and DasGupta 2001), which holds at the edges: 0 of 60
 * is 0 to .06, 2 of 2 is .34 to 1. Tasks count, not runs, because the repetitions of a task are alike. For values between
 * 0 and 1 it is wider than it need be. Bounds are NaN if there is no value.
 *
 * @param groups the values of each task; empty groups are left out
 */
export function wilsonInterval(groups: Iterable<readonly number[]>): Interval {
  const tasks = [...groups].filter((values) => values.length > 0);
  const n = tasks.length;
  if (n === 0) return { low: Number.NaN, high: Number.NaN };
  const share = mean(tasks.flat());
  const middle = share + (Z * Z) / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  const scale = 1 + (Z * Z) / n;
  return {
    low: share === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: share === 1 ? 1 : Math.min(1, (middle + half) / scale),
  };
}
