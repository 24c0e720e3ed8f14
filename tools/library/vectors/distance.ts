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

/**
 * Cells into which the vectors of a large library are divided, so that a search only looks at the cells around its
 * query (an inverted file).
 */
export interface Cells {
  /** The middles of the cells, one after another. */
  centroids: Float32Array;
  /** The number of the cell that a vector belongs to. */
  cellOf: (vector: Float32Array) => number;
}

/** Rounds of k-means; more change little. */
const ROUNDS = 6;

/** How many groups of cells are searched for the nearest cell of a vector. */
const GROUPS_ASKED = 2;

/**
 * Divides the space by a sample of the vectors; the same sample gives the same cells. The space is divided into groups
 * and each group into cells, so that finding the cell of a vector takes few comparisons.
 *
 * @param options.sample vectors one after another, more than cells are wanted
 * @param options.count how many cells are wanted; there may be a few more or fewer
 */
export function makeCells(options: {
  sample: Float32Array;
  dimension: number;
  count: number;
}): Cells {
  const { sample, dimension, count } = options;
  const size = sample.length / dimension;
  const groups = divide(sample, dimension, Math.round(Math.sqrt(count)));
  const parts = groups.members.map((rows) => {
    const share = Math.max(1, Math.round((count * rows.length) / size));
    const vectors = gather({ vectors: sample, dimension, rows });
    return divide(vectors, dimension, Math.min(share, rows.length)).centroids;
  });
  const starts = runningTotals(parts.map((part) => part.length / dimension));
  return {
    centroids: joined(parts),
    cellOf: (vector) => {
      const query = queryOf(vector);
      const asked = nearestRows(query, groups.centroids).slice(0, GROUPS_ASKED);
      let best = { cell: 0, distance: Number.POSITIVE_INFINITY };
      for (const group of asked) {
        const centroids = parts[group] ?? new Float32Array();
        const row = nearestRow(query, centroids);
        const distance = distanceAt(query, centroids, row * dimension);
        if (distance < best.distance) best = { cell: (starts[group] ?? 0) + row, distance };
      }
      return best.cell;
    },
  };
}

/** 0, and the sums of the first number, the first two numbers, and so on. */
export function runningTotals(numbers: readonly number[]): number[] {
  const totals = [0];
  for (const each of numbers) totals.push((totals.at(-1) ?? 0) + each);
  return totals;
}

/** k-means from evenly spaced vectors; at most `count` centroids, each with the rows of its vectors. */
function divide(
  vectors: Float32Array,
  dimension: number,
  count: number,
): { centroids: Float32Array; members: number[][] } {
  const size = vectors.length / dimension;
  const rows = Array.from({ length: count }, (_, at) => Math.floor((at * size) / count));
  let centroids = gather({ vectors, dimension, rows });
  for (let round = 0; ; round += 1) {
    const members: number[][] = rows.map(() => []);
    for (let row = 0; row < size; row += 1) {
      const query = queryOf(vectors.subarray(row * dimension, (row + 1) * dimension));
      members[nearestRow(query, centroids)]?.push(row);
    }
    if (round === ROUNDS) {
      // Of equal centroids, all but one end up without a vector, and searching their cells would be in vain.
      const filled = [...members.keys()].filter((cell) => (members[cell]?.length ?? 0) > 0);
      return {
        centroids: gather({ vectors: centroids, dimension, rows: filled }),
        members: filled.map((cell) => members[cell] ?? []),
      };
    }
    centroids = joined(
      members.map((of, cell) =>
        of.length > 0
          ? middle({ vectors, dimension, rows: of })
          : centroids.slice(cell * dimension, (cell + 1) * dimension),
      ),
    );
  }
}

function middle({ vectors, dimension, rows }: Rows): Float32Array {
  const sums = new Float64Array(dimension);
  for (const row of rows) {
    for (let at = 0; at < dimension; at += 1) {
      sums[at] = (sums[at] ?? 0) + (vectors[row * dimension + at] ?? 0);
    }
  }
  return Float32Array.from(sums, (sum) => sum / rows.length);
}

interface Rows {
  vectors: Float32Array;
  dimension: number;
  rows: readonly number[];
}

function gather({ vectors, dimension, rows }: Rows): Float32Array {
  return joined(rows.map((row) => vectors.subarray(row * dimension, (row + 1) * dimension)));
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
