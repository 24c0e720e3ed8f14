import { type Matrix, rowOf, rowProducts } from "./matrix.js";

/** How many of the nearest tools an adapter puts in order. It does not bring in tools from behind these. */
export const CANDIDATES = 100;

/** Requests and the tools that they search, embedded; all vectors have unit length. */
export interface TrainingPool {
  /** Length of the vectors. */
  dimension: number;
  /** A row for each request. */
  queries: Matrix;
  /** A row for each tool. */
  tools: Matrix;
  /** For each request, the rows of the tools that it needs: at least one, all different. */
  relevant: readonly (readonly number[])[];
  /** For each request, the rows of the `CANDIDATES` nearest tools, nearest first. */
  candidates: readonly (readonly number[])[];
}

/** Makes a pool: finds the candidates of each request, which no adapter changes. */
export function trainingPool(pool: Omit<TrainingPool, "candidates">): TrainingPool {
  const { dimension: size, queries, tools, relevant } = pool;
  const candidates = relevant.map((_, row) => {
    const scores = rowProducts({ left: rowOf(queries, row, size), right: tools, size });
    return bestRows(scores, CANDIDATES);
  });
  return { ...pool, candidates };
}

/** A pool with some of the requests and all of the tools. */
export function partOfPool(pool: TrainingPool, rows: readonly number[]): TrainingPool {
  const { dimension: size, relevant, candidates } = pool;
  const queries = new Float64Array(rows.length * size);
  for (const [at, row] of rows.entries()) queries.set(rowOf(pool.queries, row, size), at * size);
  return {
    ...pool,
    queries,
    relevant: rows.map((row) => relevant[row] ?? []),
    candidates: rows.map((row) => candidates[row] ?? []),
  };
}

/**
 * The candidates of each request in the order of an adapter, best first.
 *
 * @param weights of the adapter, dimension × dimension; without them, nearest first
 */
export function rankPool(pool: TrainingPool, weights?: Matrix): readonly (readonly number[])[] {
  const { dimension: size, queries, tools, candidates } = pool;
  if (!weights) return candidates;
  const adapted = rowProducts({ left: queries, right: weights, size });
  return candidates.map((rows, query) => {
    const vectors = new Float64Array(rows.length * size);
    for (const [at, row] of rows.entries()) vectors.set(rowOf(tools, row, size), at * size);
    const scores = rowProducts({ left: rowOf(adapted, query, size), right: vectors, size });
    const order = [...rows.keys()];
    order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
    return order.map((at) => rows[at] ?? 0);
  });
}

/** For each request of a pool, the share of the tools needed that are among the first `count`. */
export function poolRecalls(options: {
  pool: TrainingPool;
  weights?: Matrix;
  count: number;
}): number[] {
  const { pool, weights, count } = options;
  const ranked = rankPool(pool, weights);
  return pool.relevant.map((relevant, row) => {
    const found = new Set(ranked[row]?.slice(0, count));
    return relevant.filter((tool) => found.has(tool)).length / relevant.length;
  });
}

/** The rows with the highest scores, best first, ties in their order. */
function bestRows(scores: Matrix, count: number): number[] {
  const best: number[] = [];
  for (const [row, score] of scores.entries()) {
    const last = best[count - 1];
    if (last !== undefined && (scores[last] ?? 0) >= score) continue;
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] ?? 0] ?? 0) < score) at -= 1;
    best.splice(at, 0, row);
    if (best.length > count) best.pop();
  }
  return best;
}
