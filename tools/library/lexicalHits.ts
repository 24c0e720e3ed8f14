import { fuseRankings } from "./fusion.js";
import type { LexicalIndex } from "./lexical.js";
import type { Hit } from "./nearest.js";
import type { LibraryPlace } from "./records.js";
import { toolVectors } from "./toolVectors.js";

/**
 * Joins what lies near a phrase with what shares words with it: the first `topK` of the two rankings
 * fused, each with its distance. A tool that shares words and is not nearer than the threshold, or has no
 * vector any more, is no hit.
 *
 * @param options.hits of the phrase by its vector, at most `topK`
 * @param options.vector of the phrase, of unit length
 */
export function withLexicalHits(
  options: LibraryPlace & {
    model: string;
    lexical: LexicalIndex;
    phrase: string;
    vector: readonly number[];
    hits: readonly Hit[];
    topK: number;
    threshold?: number;
    allowed?: ReadonlySet<string>;
  },
): Hit[] {
  const { lexical, phrase, vector, hits, topK, threshold, allowed } = options;
  const limit = threshold || Number.POSITIVE_INFINITY;
  const near = hits.map(({ id }) => id);
  const distances = new Map(hits.map(({ id, distance }) => [id, distance]));
  const sharing = lexical.search({ query: phrase, depth: topK, among: allowed });
  const farther = sharing.filter((id) => !distances.has(id));
  for (const [id, tool] of toolVectors({ ...options, dimension: vector.length, ids: farther })) {
    const distance = squaredDistance(vector, tool);
    if (distance < limit) distances.set(id, distance);
  }
  return fuseRankings([near, sharing])
    .flatMap((id) => {
      const distance = distances.get(id);
      return distance === undefined ? [] : [{ id, distance }];
    })
    .slice(0, topK);
}

/** Squared L2 distance of two vectors. */
export function squaredDistance(one: readonly number[], other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
}
