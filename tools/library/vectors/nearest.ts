/** A tool that was found, with its squared L2 distance to the phrase (0 to 4, over unit vectors). */
export interface Hit {
  id: string;
  distance: number;
  /** Present if words count. The difference of two scores says how much more likely one is wanted (e to its power). */
  score?: number;
}

/** A tool with its vector. */
export interface EmbeddedTool {
  id: string;
  /** Place in the order of registration: larger for whatever was registered later. */
  position: number;
  vector: Float32Array;
}

/** The vectors of a library as a search sees them. */
export interface SearchIndex {
  /** Asks the vector store for the tools nearest to a vector. It has no others if `isAll`. */
  nearest: (vector: readonly number[], k: number) => Promise<{ ids: string[]; isAll: boolean }>;
  /** Some tools with their vectors; unknown ids are left out. */
  read: (ids: readonly string[]) => EmbeddedTool[];
  /** Vectors of some tools spread evenly over all, the same until the library changes. */
  sample: () => readonly Float32Array[];
}

/** How many more than wanted the store is asked for at first, and by how much that number grows. */
const SPARE = 16;
const GROWTH = 4;

/** The most that a store is asked for; some refuse more. */
const MOST_ASKED = 10_000;

/** Up to this many allowed tools are compared with the query one by one. */
const FEW = 1000;

/** How far apart two distances can be that are equal to the store, which computes with fewer digits. */
const IMPRECISION = 1e-5;

/**
 * The `topK` nearest of the allowed tools, nearest first, ties in the order of registration.
 *
 * A store says which tools are near; the distances are those of the library's own vectors, whatever the scores of the
 * store mean. It cannot be restricted to some tools, and may return any of several equally near ones. So it is asked for
 * more until everything that it has not returned is farther away.
 */
export async function nearestTools(options: {
  index: SearchIndex;
  vector: readonly number[];
  topK: number;
  isAllowed: (id: string) => boolean;
  /** All ids that are allowed, if they were named. */
  among: readonly string[] | undefined;
}): Promise<Hit[]> {
  const { index, vector, topK, isAllowed, among } = options;
  const ranked = (ids: readonly string[]) =>
    index
      .read(ids)
      .map(({ id, position, vector: other }) => ({
        id,
        position,
        distance: squaredDistance(vector, other),
      }))
      .toSorted((a, b) => a.distance - b.distance || a.position - b.position);
  const hitsOf = (tools: ReturnType<typeof ranked>): Hit[] =>
    tools.slice(0, topK).map(({ id, distance }) => ({ id, distance }));
  if (among && among.length <= FEW) return hitsOf(ranked(among));
  for (let k = topK + SPARE; ; k *= GROWTH) {
    const { ids, isAll } = await index.nearest(vector, k);
    const returned = ranked(ids);
    const allowed = returned.filter(({ id }) => isAllowed(id));
    const last = allowed[topK - 1]?.distance ?? Number.POSITIVE_INFINITY;
    const isBeyond = (returned.at(-1)?.distance ?? 0) > last + IMPRECISION;
    if (isAll || isBeyond) return hitsOf(allowed);
    if (k * GROWTH > MOST_ASKED) return hitsOf(among ? ranked(among) : allowed);
  }
}

/** Squared L2 distance. All distances that searches return are computed here. */
export function squaredDistance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [even, odd] = [0, 0];
  // Some three times faster with two sums and without defaults for missing values.
  for (let at = 0; at < one.length; at += 2) {
    even += ((one[at] as number) - (other[at] as number)) ** 2;
    if (at + 1 < one.length) odd += ((one[at + 1] as number) - (other[at + 1] as number)) ** 2;
  }
  return even + odd;
}
