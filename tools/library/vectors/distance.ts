/** Prepares a vector for comparing, rounded like the stored ones so that equal vectors have distance 0. */
export function queryOf(vector: readonly number[] | Float32Array): Float64Array {
  return new Float64Array(vector instanceof Float32Array ? vector : new Float32Array(vector));
}

/**
 * Squared L2 distance of a query and the vector at an offset of an array. All distances that searches return are
 * computed here, whichever index found the tools.
 */
export function distanceAt(query: Float64Array, vectors: Float32Array, offset = 0): number {
  let even = 0;
  let odd = 0;
  const { length } = query;
  // Some three times faster with two sums and without defaults for missing values.
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

/** The rows of a list of vectors, the nearest to a query first, ties in their order. */
export function nearestRows(query: Float64Array, vectors: Float32Array): number[] {
  const distances = distancesTo(query, vectors);
  return [...distances.keys()].toSorted((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0));
}

/** The row nearest to a query; of equally near ones, the first. */
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
