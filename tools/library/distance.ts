/** A vector to compare others with, as precise as those are: equal ones have no distance. */
export function queryOf(vector: readonly number[] | Float32Array): Float64Array {
  return new Float64Array(vector instanceof Float32Array ? vector : new Float32Array(vector));
}

/**
 * Squared L2 distance of a query and the vector that begins at an offset of an array. Every search says
 * distances computed by this, whatever index has found the tools.
 */
export function distanceAt(query: Float64Array, vectors: Float32Array, offset = 0): number {
  let even = 0;
  let odd = 0;
  const { length } = query;
  // Reading without a default for what is not there, and into two sums, makes it some three times faster.
  for (let at = 0; at + 1 < length; at += 2) {
    const one = (query[at] as number) - (vectors[offset + at] as number);
    const other = (query[at + 1] as number) - (vectors[offset + at + 1] as number);
    even += one * one;
    odd += other * other;
  }
  if (length % 2 === 1)
    odd += ((query[length - 1] as number) - (vectors[offset + length - 1] as number)) ** 2;
  return even + odd;
}

/** The rows of some vectors that lie one after another, the nearest to a query first, ties in their order. */
export function nearestRows(query: Float64Array, vectors: Float32Array): number[] {
  const distances = distancesTo(query, vectors);
  return [...distances.keys()].toSorted((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0));
}

/** The row that is nearest to a query, the first of equally near ones. */
export function nearestRow(query: Float64Array, vectors: Float32Array): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let row = 0; row * query.length < vectors.length; row += 1) {
    const distance = distanceAt(query, vectors, row * query.length);
    if (distance >= least) continue;
    nearest = row;
    least = distance;
  }
  return nearest;
}

function distancesTo(query: Float64Array, vectors: Float32Array): Float64Array {
  const distances = new Float64Array(vectors.length / query.length);
  for (const row of distances.keys()) {
    distances[row] = distanceAt(query, vectors, row * query.length);
  }
  return distances;
}
