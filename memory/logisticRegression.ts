/** A linear score of features; its logistic function is a probability. */
export interface LinearModel {
  weights: number[];
  bias: number;
}

/** Beyond this score the probability would round to 0 or 1, which no evidence justifies. */
const GREATEST_SCORE = 30;

/** Most steps of the descent; it usually ends after a few hundred. */
const MAX_STEPS = 2000;

/** The descent ends when no component of the mean loss's gradient is larger. */
const FLAT = 1e-4;

const POWER_ROUNDS = 20;

/** A feature that varies less says nothing, and scaling would blow it up. */
const LEAST_DEVIATION = 1e-6;

/** The probability that a linear model gives, strictly between 0 and 1. */
export function probability({ weights, bias }: LinearModel, features: Float32Array): number {
  return logistic(score({ weights, bias, features }));
}

/**
 * Fits a logistic regression: minimises the mean log-loss plus `l2`/2 times the squared length of the weights, over
 * features scaled to mean 0 and deviation 1. The bias is free. The weights returned apply to the unscaled features. The
 * loss is convex, so accelerated gradient descent with a step size from the bound of its curvature finds its only
 * minimum (Nesterov, "Introductory Lectures on Convex Optimization", 2004, section 2.2.1).
 *
 * @param options.rows one row of features for each example, all of one length; at least one
 * @param options.labels for each row
 * @param options.l2 more than 0
 */
export function fitLogistic(options: Examples & { l2: number }): LinearModel {
  const { rows, l2 } = options;
  const scaling = scalingOf(rows);
  const spread = greatestVariance(rows, scaling);
  // The bias is the weight of a feature with as much spread as the others, so that it does not lag behind.
  const problem = { ...options, scaling, biasFactor: Math.sqrt(spread) };
  // The second derivative of the logistic loss is at most a quarter.
  const steepest = (2 * spread) / 4 + l2;
  const root = Math.sqrt(l2 / steepest);
  const momentum = (1 - root) / (1 + root);
  let at = new Float64Array(scaling.means.length + 1);
  let ahead = at;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const slope = gradient({ ...problem, at: ahead });
    const next = ahead.map((value, index) => value - (slope[index] ?? 0) / steepest);
    ahead = next.map((value, index) => value + momentum * (value - (at[index] ?? 0)));
    at = next;
    if (slope.every((value) => Math.abs(value) < FLAT)) break;
  }
  return unscaled({ ...problem, at });
}

interface Examples {
  rows: readonly Float32Array[];
  labels: readonly boolean[];
}

/** How features are scaled to mean 0 and deviation 1. */
interface Scaling {
  means: Float64Array;
  /** 1 / deviation; 0 for a feature that does not vary. */
  factors: Float64Array;
}

/** A point of the descent: weights of the scaled features, then that of the bias feature. */
interface Position {
  scaling: Scaling;
  biasFactor: number;
  at: Float64Array;
}

function scalingOf(rows: readonly Float32Array[]): Scaling {
  const size = rows[0]?.length ?? 0;
  const means = new Float64Array(size);
  for (const row of rows) addScaled(means, row, 1 / rows.length);
  const variances = new Float64Array(size);
  for (const row of rows) {
    for (let index = 0; index < size; index += 1) {
      const difference = (row[index] ?? 0) - (means[index] ?? 0);
      variances[index] = (variances[index] ?? 0) + difference ** 2 / rows.length;
    }
  }
  const factors = variances.map((variance) =>
    Math.sqrt(variance) < LEAST_DEVIATION ? 0 : 1 / Math.sqrt(variance),
  );
  return { means, factors };
}

/**
 * The greatest variance of the scaled features in any direction, at least 1. Power iteration approaches it from
 * below; the step of the descent allows for twice as much, so it stays safe.
 */
function greatestVariance(rows: readonly Float32Array[], scaling: Scaling): number {
  const { means, factors } = scaling;
  let direction: Float64Array = factors.map((factor, index) => (factor > 0 ? 1 + (index % 7) : 0));
  let variance = 1;
  for (let round = 0; round < POWER_ROUNDS; round += 1) {
    const length = Math.hypot(...direction);
    if (length === 0) break;
    const at = Float64Array.of(...direction.map((value) => value / length), 0);
    const model = unscaled({ scaling, biasFactor: 1, at });
    const sums = new Float64Array(means.length);
    let total = 0;
    for (const features of rows) {
      const along = score({ ...model, features }) / rows.length;
      total += along;
      addScaled(sums, features, along);
    }
    direction = scaledSums(sums, total, scaling);
    variance = Math.max(1, Math.hypot(...direction));
  }
  return variance;
}

/** Rows are scaled on the fly, to avoid a second copy. */
function gradient(options: Examples & Position & { l2: number }): Float64Array {
  const { rows, labels, l2, scaling, biasFactor, at } = options;
  const model = unscaled(options);
  const sums = new Float64Array(scaling.means.length);
  let total = 0;
  for (const [index, features] of rows.entries()) {
    const guess = logistic(score({ ...model, features }));
    const error = (guess - (labels[index] ? 1 : 0)) / rows.length;
    total += error;
    addScaled(sums, features, error);
  }
  const slope = scaledSums(sums, total, scaling);
  return at.map((value, index) =>
    index < slope.length ? (slope[index] ?? 0) + l2 * value : total * biasFactor,
  );
}

/** Turns weighted sums of features into those of scaled features; `total` is the sum of the weights. */
function scaledSums(sums: Float64Array, total: number, { means, factors }: Scaling): Float64Array {
  return sums.map((sum, index) => (sum - (means[index] ?? 0) * total) * (factors[index] ?? 0));
}

function unscaled({ at, scaling, biasFactor }: Position): LinearModel {
  const { means, factors } = scaling;
  const weights = Array.from(factors, (factor, index) => factor * (at[index] ?? 0));
  const shift = weights.reduce((sum, weight, index) => sum + weight * (means[index] ?? 0), 0);
  return { weights, bias: biasFactor * (at[factors.length] ?? 0) - shift };
}

function score({ weights, bias, features }: LinearModel & { features: Float32Array }): number {
  let sum = bias;
  for (let index = 0; index < features.length; index += 1) {
    sum += (weights[index] ?? 0) * (features[index] ?? 0);
  }
  return sum;
}

function logistic(score: number): number {
  const bounded = Math.min(GREATEST_SCORE, Math.max(-GREATEST_SCORE, score));
  return 1 / (1 + Math.exp(-bounded));
}

function addScaled(to: Float64Array, row: Float32Array, factor: number): void {
  for (let index = 0; index < row.length; index += 1) {
    to[index] = (to[index] ?? 0) + factor * (row[index] ?? 0);
  }
}
