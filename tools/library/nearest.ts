import type { Neighbour, SearchIndex } from "./searchIndex.js";

/** A tool that was found, with its squared L2 distance to the phrase (0 to 4, over unit vectors). */
export interface Hit {
  id: string;
  distance: number;
}

/** How many more than wanted are asked of FAISS at first, and by how much the number grows. */
const SPARE = 16;
const GROWTH = 4;

/**
 * The exact `topK` nearest among the allowed tools, nearest first, ties in the order of registration,
 * cut at the first distance that is not below the threshold (0 and undefined: no threshold).
 *
 * FAISS knows no restriction to some tools, and which of several equally near tools it returns is
 * open; so it is asked for more and more until whatever it has not returned is certainly farther away.
 */
export async function nearestTools({
  index,
  vector,
  topK,
  threshold,
  allowed,
}: {
  index: Pick<SearchIndex, "ids" | "nearest">;
  vector: number[];
  topK: number;
  threshold?: number;
  /** Ids that are in the index. */
  allowed: ReadonlySet<string>;
}): Promise<Hit[]> {
  const limit = threshold || Number.POSITIVE_INFINITY;
  const size = index.ids.length;
  const wanted = Math.min(topK, allowed.size);
  if (wanted === 0) return [];
  for (let k = wanted + SPARE; ; k *= GROWTH) {
    const ranked = await index.nearest({ vector, k: Math.min(k, size) });
    const kept = ranked.filter(({ id, distance }) => allowed.has(id) && distance < limit);
    const farthest = ranked.at(-1)?.distance ?? limit;
    const lastKept = kept[wanted - 1]?.distance ?? limit;
    if (k >= size || farthest >= limit || farthest > lastKept) {
      return kept.toSorted(byDistance).slice(0, wanted).map(hitOf);
    }
  }
}

function byDistance(a: Neighbour, b: Neighbour): number {
  return a.distance - b.distance || a.position - b.position;
}

function hitOf({ id, distance }: Neighbour): Hit {
  return { id, distance };
}
