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
 * Mean of the middle half: a quarter of the values is cut off at each end. A value across the cut counts
 * with the part inside, so that the mean is defined for any number of values
 * (the 25 % trimmed mean: Rosenberger and Gasko, in Hoaglin, Mosteller and Tukey, "Understanding
 * Robust and Exploratory Data Analysis", 1983). The published evaluation of Tulip Agent averages the
 * middle of an unsorted list instead.
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
