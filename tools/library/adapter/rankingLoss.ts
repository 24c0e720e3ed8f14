import { type Matrix, rowOf, rowProducts, scalarProduct, transposed } from "./matrix.js";

/** Factor of the cosines, as in the library that TPTU-v2 cites for its loss. */
const SCALE = 20;

/** Pairs of a request and a tool that it needs, and the tools that this one has to outrank. */
export interface RankingBatch {
  /** Length of the vectors. */
  dimension: number;
  /** The vectors of the requests, a row for each pair. */
  queries: Matrix;
  /** The unit vectors of the tools: those of the pairs, and others to learn from. */
  tools: Matrix;
  /** For each pair, the row of its tool. */
  targets: readonly number[];
  /** For each pair, the rows of all tools that its request needs; ranking them first is not a mistake. */
  masked: readonly ReadonlySet<number>[];
}

/**
 * The multiple-negatives ranking loss of an adapter that multiplies requests by `weights`, and its
 * gradient: the mean of −log softmax of the scaled cosines, at the tool of each pair (TPTU-v2, Kong et
 * al. 2023, arXiv:2311.11315, with the tools left as they are).
 *
 * @param options.weights dimension × dimension
 */
export function rankingLoss(options: { weights: Matrix; batch: RankingBatch }): {
  loss: number;
  gradient: Matrix;
} {
  const { weights, batch } = options;
  const { queries, tools, dimension: size, targets } = batch;
  const adapted = rowProducts({ left: queries, right: weights, size });
  const lengths = toUnitRows(adapted, size);
  const scores = rowProducts({ left: adapted, right: tools, size });
  const loss = toScoreGradients(scores, batch);
  const columns = tools.length / size;
  const pulls = rowProducts({ left: scores, right: transposed(tools, size), size: columns });
  for (const [row, length] of lengths.entries()) {
    const pull = rowOf(pulls, row, size);
    const unit = rowOf(adapted, row, size);
    // Only the part that turns the vector counts, because cosines ignore its length.
    const along = scalarProduct(pull, unit);
    pull.set(pull.map((value, at) => (value - along * (unit[at] ?? 0)) / length));
  }
  const gradient = rowProducts({
    left: transposed(pulls, size),
    right: transposed(queries, size),
    size: targets.length,
  });
  return { loss, gradient };
}

/** Scales rows to unit length and returns their former lengths; a row of zeros stays as it is. */
function toUnitRows(matrix: Matrix, size: number): Float64Array {
  const lengths = new Float64Array(matrix.length / size);
  for (const row of lengths.keys()) {
    const values = rowOf(matrix, row, size);
    const length = Math.sqrt(scalarProduct(values, values)) || 1;
    values.set(values.map((value) => value / length));
    lengths[row] = length;
  }
  return lengths;
}

/** Replaces cosines by the gradient of the mean loss with respect to them, and returns the loss. */
function toScoreGradients(scores: Matrix, { targets, masked }: RankingBatch): number {
  const columns = scores.length / targets.length;
  let loss = 0;
  for (const [row, target] of targets.entries()) {
    const cosines = rowOf(scores, row, columns);
    const best = cosines.reduce((most, cosine) => Math.max(most, cosine), -1);
    const powers = cosines.map((cosine, column) => {
      const isLeftOut = column !== target && masked[row]?.has(column) === true;
      return isLeftOut ? 0 : Math.exp(SCALE * (cosine - best));
    });
    const total = powers.reduce((sum, power) => sum + power, 0);
    loss -= Math.log((powers[target] ?? 0) / total) / targets.length;
    const errors = powers.map((power, column) => power / total - (column === target ? 1 : 0));
    cosines.set(errors.map((error) => (SCALE * error) / targets.length));
  }
  return loss;
}
