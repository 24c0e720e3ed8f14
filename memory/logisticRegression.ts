/** A linear score of features; its logistic function is a probability. */
export interface LinearModel {
  weights: ArrayLike<number>;
  bias: number;
}

/** Beyond this score the probability would round to 0 or 1, which no evidence justifies. */
const GREATEST_SCORE = 30;

/** Most steps of the descent; it usually ends after a few hundred. */
const MAX_STEPS = 2000;

/** The descent ends when no component of the mean loss's gradient is larger. */
const FLAT = 1e-4;

/** A feature that varies less says nothing, and scaling would blow it up. */
const LEAST_DEVIATION = 1e-6;

/** The probability that a linear model gives, strictly between 0 and 1. */
export function probability({ weights, bias }: LinearModel, features: Float32Array): number {
  const score = bias + product(weights, features);
  return 1 / (1 + Math.exp(-Math.min(GREATEST_SCORE, Math.max(-GREATEST_SCORE, score))));
}

interface Examples {
  /** One row of features for each example, all of one length; at least one. */
  rows: readonly Float32Array[];
  /** For each row. */
  labels: readonly boolean[];
  /** More than 0. */
  l2: number;
}

/**
 * Fits a logistic regression: minimises the mean log-loss plus `l2`/2 times the squared length of the weights, over
 * features scaled to mean 0 and deviation 1. The bias is free. The weights returned apply to the unscaled features. The
 * loss is convex, so accelerated gradient descent with a step size from the bound of its curvature finds its only
 * minimum (Nesterov, "Introductory Lectures on Convex Optimization", 2004, section 2.2.1).
 */
export function fitLogistic({ rows, labels, l2 }: Examples) {
  const { means, factors } = scalingOf(rows);
  const scaled = rows.map((row) =>
    row.map((value, at) => (value - (means[at] ?? 0)) * (factors[at] ?? 0)),
  );
  // The second derivative of the logistic loss is at most a quarter, and all features together vary by their number.
  const steepest = (means.length + 1) / 4 + l2;
  const root = Math.sqrt(l2 / steepest);
  const momentum = (1 - root) / (1 + root);
  // The weights of the scaled features, then the bias.
  let at = new Float64Array(means.length + 1);
  let ahead = at;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const slope = gradient({ rows: scaled, labels, l2 }, ahead);
    const next = ahead.map((value, index) => value - (slope[index] ?? 0) / steepest);
    ahead = next.map((value, index) => value + momentum * (value - (at[index] ?? 0)));
    at = next;
    if (slope.every((value) => Math.abs(value) < FLAT)) break;
  }
  const weights = Array.from(factors, (factor, index) => factor * (at[index] ?? 0));
  return { weights, bias: (at.at(-1) ?? 0) - product(weights, means) };
}

/** Means of features, and 1 / deviation; 0 for a feature that does not vary. */
function scalingOf(rows: readonly Float32Array[]) {
  const means = new Float64Array(rows[0]?.length ?? 0);
  for (const row of rows) addTo(means, row, 1 / rows.length);
  const variances = new Float64Array(means.length);
  for (const row of rows)
    addTo(
      variances,
      means.map((mean, at) => ((row[at] ?? 0) - mean) ** 2),
      1 / rows.length,
    );
  const factors = variances.map((variance) =>
    Math.sqrt(variance) < LEAST_DEVIATION ? 0 : 1 / Math.sqrt(variance),
  );
  return { means, factors };
}

function gradient({ rows, labels, l2 }: Examples, at: Float64Array): Float64Array {
  const bias = at.at(-1) ?? 0;
  const slope = at.map((weight) => l2 * weight);
  slope[at.length - 1] = 0;
  for (const [index, features] of rows.entries()) {
    const guess = probability({ weights: at, bias }, features);
    const error = (guess - Number(labels[index])) / rows.length;
    addTo(slope, features, error);
    slope[at.length - 1] = (slope[at.length - 1] ?? 0) + error;
  }
  return slope;
}

/** The scalar product, as long as the second vector is. */
export function product(weights: ArrayLike<number>, features: Float32Array | Float64Array): number {
  let sum = 0;
  for (let at = 0; at < features.length; at += 1) sum += (weights[at] ?? 0) * (features[at] ?? 0);
  return sum;
}

function addTo(sums: Float64Array, values: Float32Array | Float64Array, factor: number): void {
  for (let at = 0; at < values.length; at += 1) {
    sums[at] = (sums[at] ?? 0) + factor * (values[at] ?? 0);
  }
}
