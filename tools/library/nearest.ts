import type { RankEvidence } from "./rank.js";
import { byDistance, type Neighbour, type SearchIndex } from "./searchIndex.js";

/** A tool that was found, with its squared L2 distance to the phrase (0 to 4, over unit vectors). */
export interface Hit {
  id: string;
  distance: number;
  /** What ranked it where words count; the difference of two says how much likelier one is wanted (e to its power). */
  score?: number;
  /** The hit that needs an id which this tool gives, where that and no word of the request ranks it so high. */
  neededBy?: string;
  /** The better hit that means the same and pushed it back. */
  twinOf?: string;
  /** What the score is the sum of, where it is asked for. */
  evidence?: RankEvidence;
}

/** How many more than wanted are asked of the index at first, and by how much the number grows. */
const SPARE = 16;
const GROWTH = 4;

/** So many allowed tools are compared with the query one by one. */
const FEW = 1000;

/** By how much two distances can differ that the index takes for one: it computes with fewer digits. */
const IMPRECISION = 1e-5;

/**
 * The `topK` nearest among the allowed tools, nearest first, ties in the order of registration, cut at the first
 * distance that is not below the threshold (0 and undefined: no threshold). They are exact where the index is,
 * and where few tools are allowed.
 *
 * An index knows no restriction to some tools, and which of several equally near tools it returns is
 * open; so it is asked for more and more until whatever it has not returned is certainly farther away.
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
  /** Ids that are in the index; all where it is absent. */
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
    // The cells that it looks at hold no more.
    if (ranked.length < asked && kept.length < wanted) return compared();
    if (ranked.length < asked || asked === size) return hitsOf(kept);
  }
}
