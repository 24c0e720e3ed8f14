import { rowProducts, type Rows, scalarProduct, transposed } from "./matrix.js";

/** Factor of the cosines, as in the library that TPTU-v2 cites for its loss. */
const SCALE = 20;

/** Pairs of a request and a tool that it needs, and the tools that this one has to outrank. */
export interface RankingBatch {
  /** The vectors of the requests, one for each pair. */
  queries: Rows;
  /** The unit vectors of the tools: those of the pairs, and others to learn from. */
  tools: Rows;
  /** For each pair, the place of its tool. */
  targets: readonly number[];
  /** For each pair, the places of all tools that its request needs; ranking them first is not a mistake. */
  masked: readonly ReadonlySet<number>[];
}

/**
 * The multiple-negatives ranking loss of an adapter that multiplies requests by `weights`, and its
 * gradient: the mean of −log softmax of the scaled cosines, at the tool of each pair (TPTU-v2, Kong et
 * al. 2023, arXiv:2311.11315, with the tools left as they are).
 */
export function rankingLoss({ weights, batch }: { weights: Rows; batch: RankingBatch }): {
  loss: number;
  gradient: Float64Array[];
} {
  const { queries, tools } = batch;
  const adapted = rowProducts(queries, weights);
  const lengths = adapted.map((row) => Math.hypot(...row) || 1);
  const units = adapted.map((row, at) => row.map((value) => value / (lengths[at] ?? 1)));
  const { loss, slopes } = scoreSlopes(rowProducts(units, tools), batch);
  const pulls = rowProducts(slopes, transposed(tools)).map((pull, at) => {
    const unit = units[at] ?? new Float64Array();
    // Only the part that turns the vector counts, because cosines ignore its length.
    const along = scalarProduct(pull, unit);
    return pull.map((value, k) => (value - along * (unit[k] ?? 0)) / (lengths[at] ?? 1));
  });
  return { loss, gradient: rowProducts(transposed(pulls), transposed(queries)) };
}

/** The loss of cosines, and the gradient of its mean with respect to them. */
function scoreSlopes(scores: Rows, { targets, masked }: RankingBatch) {
  let loss = 0;
  const slopes = scores.map((cosines, row) => {
    const target = targets[row] ?? 0;
    const best = cosines.reduce((most, cosine) => Math.max(most, cosine), -1);
    const powers = cosines.map((cosine, column) => {
      const isLeftOut = column !== target && masked[row]?.has(column) === true;
      return isLeftOut ? 0 : Math.exp(SCALE * (cosine - best));
    });
    const total = powers.reduce((sum, power) => sum + power, 0);
    loss -= Math.log((powers[target] ?? 0) / total) / targets.length;
    const errors = powers.map((power, column) => power / total - (column === target ? 1 : 0));
    return errors.map((error) => (SCALE * error) / targets.length);
  });
  return { loss, slopes };
}
