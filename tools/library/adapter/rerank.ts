import type { Hit } from "../vectors/nearest.js";
import type { LibraryPlace } from "../records/records.js";
import { toolVectors } from "../vectors/vectors.js";
import { type Matrix, matrixOf, rowProducts } from "./matrix.js";

/**
 * Puts the candidates of a phrase in the order of an adapter: by the cosine of each tool with the phrase's vector times
 * the weights, ties in the given order. Their distances stay those of the plain vectors, which thresholds refer to.
 *
 * @param options.vector of the phrase, of unit length
 * @param options.hits nearest first
 */
export function rerankHits(
  options: LibraryPlace & {
    model: string;
    vector: readonly number[];
    weights: Matrix;
    hits: Hit[];
  },
): Hit[] {
  const { vector, weights, hits } = options;
  const size = vector.length;
  const adapted = rowProducts({ left: matrixOf([vector], size), right: weights, size });
  const length = Math.hypot(...adapted);
  const ids = hits.map(({ id }) => id);
  const vectors = toolVectors({ ...options, dimension: size, ids });
  const scored = hits.map((hit) => {
    const tool = vectors.get(hit.id);
    // If somebody has changed or removed the tool since it was found, its distance decides.
    if (!tool || length === 0) return { hit, score: 1 - hit.distance / 2 };
    const [product = 0] = rowProducts({ left: adapted, right: matrixOf([tool], size), size });
    return { hit, score: product / length };
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ hit }) => hit);
}

/** The vector of a request as changed by an adapter, of unit length; unchanged if the result is zero. */
export function adaptedVector(vector: readonly number[], weights: Matrix): readonly number[] {
  const size = vector.length;
  const adapted = rowProducts({ left: matrixOf([vector], size), right: weights, size });
  const length = Math.hypot(...adapted);
  return length === 0 ? vector : Array.from(adapted, (value) => value / length);
}
