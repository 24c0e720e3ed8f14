import type { Evidence } from "../search/searchWeights.js";
import { byDistance, type Neighbour, type SearchIndex } from "./searchIndex.js";

/** A tool that was found, with its squared L2 distance to the phrase (0 to 4, over unit vectors). */
export interface Hit {
  id: string;
  distance: number;
  /** Present if words count. The difference of two scores says how much more likely one is wanted (e to its power). */
  score?: number;
  /** What the score is made of, if that was asked for. */
  evidence?: Evidence;
}

/** How many more than wanted the index is asked for at first, and by how much that number grows. */
const SPARE = 16;
const GROWTH = 4;

/** Up to this many allowed tools are compared with the query one by one. */
const FEW = 1000;

/** How far apart two distances can be that are equal to the index, which computes with fewer digits. */
const IMPRECISION = 1e-5;

/**
 * The `topK` nearest among the allowed tools, nearest first, ties in the order of registration, cut at the first
 * distance that is not below the threshold (0 and undefined: no threshold). Exact if the index is, or if few tools
 * are allowed.
 *
 * An index cannot be restricted to some tools, and may return any of several equally near ones; so it is asked for
 * more and more until everything it has not returned is certainly farther away.
 */
export async function nearestTools({
  index,
  vector,
  topK,
  threshold,
  allowed,
}: {
  index: Pick<SearchIndex, "size" | "ids" | "nearest" | "distances">;
  vector: readonly number[];
  topK: number;
  threshold?: number;
  /** Ids that are in the index; all if absent. */
  allowed?: ReadonlySet<string>;
}): Promise<Hit[]> {
  const limit = threshold || Number.POSITIVE_INFINITY;
  const { size } = index;
  const wanted = Math.min(topK, allowed?.size ?? size);
  if (wanted === 0) return [];
  const hitsOf = (found: readonly Neighbour[]): Hit[] =>
    found.slice(0, wanted).map(({ id, distance }) => ({ id, distance }));
  const isHit = ({ id, distance }: Neighbour) => (allowed?.has(id) ?? true) && distance < limit;
  const compared = () =>
    hitsOf(
      index
        .distances(vector, allowed ?? index.ids())
        .filter(isHit)
        .toSorted(byDistance),
    );
  if (allowed && allowed.size <= FEW) return compared();
  for (let k = wanted + SPARE; ; k *= GROWTH) {
    const asked = Math.min(k, size);
    const ranked = await index.nearest({ vector, k: asked });
    const kept = ranked.filter(isHit);
    const farthest = ranked.at(-1)?.distance ?? 0;
    const last = kept[wanted - 1]?.distance ?? limit;
    if (farthest >= limit || farthest > last + IMPRECISION) return hitsOf(kept);
    // The cells that the index looks at hold no more.
    if (ranked.length < asked && kept.length < wanted) return compared();
    if (ranked.length < asked || asked === size) return hitsOf(kept);
  }
}
