import { mean, quantile, sum } from "./descriptive.js";
import { seededRandom } from "./random.js";

/** Bounds of an interval. */
export interface Interval {
  low: number;
  high: number;
}

/** A fixed seed, so that the same records always give the same table. */
const SEED = 20_231_130;

/** The mean of one value for each task, with its 95 % interval. */
export function estimateOf(values: readonly number[]) {
  return { mean: mean(values), ...bootstrapInterval(values.map((value) => [value])) };
}

/**
 * Percentile bootstrap interval of the mean, 95 % (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
 * section 13.3). Tasks are drawn with replacement, each with all its runs: the repetitions of one task are alike, and
 * drawing them singly would make the interval too narrow (the cluster bootstrap: Davison and Hinkley, "Bootstrap
 * Methods and their Application", 1997, section 3.8). Bounds are NaN if there is no value.
 *
 * @param groups the values of each task; empty groups are left out
 * @param options.resamples enough for two digits of the bounds
 */
export function bootstrapInterval(
  groups: Iterable<readonly number[]>,
  { seed = SEED, resamples = 2000 } = {},
): Interval {
  const clusters = [...groups].filter((values) => values.length > 0);
  const [first = Number.NaN, ...others] = clusters.flat();
  if (others.every((value) => value === first)) return { low: first, high: first };
  const random = seededRandom(seed);
  const totals = clusters.map((values) => ({ sum: sum(values), count: values.length }));
  const means = Array.from({ length: resamples }, () => {
    let [total, count] = [0, 0];
    for (let drawn = 0; drawn < totals.length; drawn += 1) {
      const one = totals[Math.floor(random() * totals.length)];
      total += one?.sum ?? 0;
      count += one?.count ?? 0;
    }
    return total / count;
  });
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
