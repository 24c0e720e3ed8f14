import { mean, quantile, sum } from "./descriptive.js";
import { seededRandom } from "./random.js";

/** Bounds of an interval. */
export interface Interval {
  low: number;
  high: number;
}

/** A mean over tasks with its 95 % bootstrap interval. */
export interface Estimate extends Interval {
  mean: number;
}

/** Computes the interval of the mean of values that are grouped by task. */
export type Bootstrap = (groups: Iterable<readonly number[]>) => Interval;

/** Indexes of the drawn tasks, resample by resample. */
type Draws = Uint32Array;

/** Resamples for one interval: enough for two digits of its bounds. */
const RESAMPLES = 2_000;

/** Share of the resampled means inside the interval. */
const CONFIDENCE = 0.95;

/** A fixed seed, so that the same records always give the same table. */
const SEED = 20_231_130;

/** The mean of one value for each task, with its interval. */
export function estimateOf(values: readonly number[], bootstrap: Bootstrap): Estimate {
  return { mean: mean(values), ...bootstrap(values.map((value) => [value])) };
}

/** Like {@link openBootstrap}, for one interval. */
export function bootstrapInterval(
  groups: Iterable<readonly number[]>,
  options: { seed?: number; resamples?: number } = {},
): Interval {
  return openBootstrap(options)(groups);
}

/**
 * Percentile bootstrap interval of the mean, 95 % (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
 * section 13.3). Tasks are drawn with replacement, each with all its runs: the repetitions of one task are alike, and
 * drawing them singly would make the interval too narrow (the cluster bootstrap: Davison and Hinkley, "Bootstrap
 * Methods and their Application", 1997, section 3.8). Empty groups are left out; bounds are NaN if there is no value.
 *
 * An opened bootstrap caches the draws for the last number of tasks, since a table needs them many times. The intervals
 * are the same as without the cache.
 */
export function openBootstrap(options: { seed?: number; resamples?: number } = {}): Bootstrap {
  const { resamples = RESAMPLES, seed = SEED } = options;
  let draws: Draws = new Uint32Array();
  let drawnFrom = 0;
  return (groups) => {
    const clusters = [...groups].filter((values) => values.length > 0);
    if (clusters.length === 0) return { low: Number.NaN, high: Number.NaN };
    const [first] = clusters.flat();
    if (first !== undefined && clusters.every((values) => values.every((v) => v === first))) {
      return { low: first, high: first };
    }
    if (clusters.length !== drawnFrom) {
      draws = drawIndexes(clusters.length, resamples, seed);
      drawnFrom = clusters.length;
    }
    return percentiles(resampledMeans(clusters, draws));
  };
}

function percentiles(means: readonly number[]): Interval {
  const tail = (1 - CONFIDENCE) / 2;
  return { low: quantile(means, tail), high: quantile(means, 1 - tail) };
}

function drawIndexes(from: number, resamples: number, seed: number): Draws {
  const random = seededRandom(seed);
  return new Uint32Array(from * resamples).map(() => Math.floor(random() * from));
}

function resampledMeans(clusters: readonly (readonly number[])[], draws: Draws): number[] {
  const sums = totals(clusters.map(sum), draws);
  const counts = clusters.map((values) => values.length);
  const [count = 0] = counts;
  // Usually every task has the same number of runs, which saves half the work.
  if (counts.every((each) => each === count)) {
    return sums.map((sum) => sum / (count * clusters.length));
  }
  const drawnCounts = totals(counts, draws);
  return sums.map((sum, resample) => sum / (drawnCounts[resample] ?? 0));
}

function totals(of: readonly number[], draws: Draws): number[] {
  const size = of.length;
  // A typed array, because a table over thousands of tasks reads from it some hundred million times.
  const values = Float64Array.from(of);
  return Array.from({ length: draws.length / size }, (_, resample) => {
    let total = 0;
    for (let at = resample * size; at < (resample + 1) * size; at += 1) {
      total += values[draws[at] ?? 0] ?? 0;
    }
    return total;
  });
}
