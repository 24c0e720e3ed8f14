import type { Hit } from "../nearest.js";
import { getTool, type LibraryPlace } from "../records.js";
import { readVectors, textHash } from "../vectors.js";
import { type Matrix, matrixOf, rowProducts } from "./matrix.js";

/**
 * Puts the candidates of a phrase in the order that an adapter gives: by the cosine of each tool with
 * the phrase's vector times the weights, ties in the order in which they came. Their distances stay
 * those of the plain vectors, for which thresholds are measured.
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
  const vectors = vectorsOf(options);
  const scored = hits.map((hit) => {
    const tool = vectors.get(hit.id);
    // Somebody has changed or removed the tool since it was found: its place is that of its distance.
    if (!tool || length === 0) return { hit, score: 1 - hit.distance / 2 };
    const [product = 0] = rowProducts({ left: adapted, right: matrixOf([tool], size), size });
    return { hit, score: product / length };
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ hit }) => hit);
}

function vectorsOf(
  options: LibraryPlace & { model: string; vector: readonly number[]; hits: readonly Hit[] },
): Map<string, Float32Array> {
  const { database, library, model, vector, hits } = options;
  const place = { database, library };
  const hashes = new Map<string, string>();
  for (const { id } of hits) {
    const tool = getTool({ ...place, id });
    if (tool) hashes.set(id, textHash(tool));
  }
  const dimension = vector.length;
  const known = readVectors({ ...place, model, dimension, hashes: [...hashes.values()] });
  return new Map(
    [...hashes].flatMap(([id, hash]) => {
      const found = known.get(hash);
      return found ? [[id, found] as const] : [];
    }),
  );
}
