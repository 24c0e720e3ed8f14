import { type Matrix, rowOf, rowProducts } from "./matrix.js";

/**
 * How many of the nearest tools an adapter puts in order. What lies behind them stays behind, so that
 * an adapter neither finds nor misses anything that a search without it would not.
 */
export const CANDIDATES = 100;

/** Requests and the tools among which they search, embedded; all vectors are of unit length. */
export interface TrainingPool {
  /** Length of the vectors. */
  dimension: number;
  /** A row for each request. */
  queries: Matrix;
  /** A row for each tool. */
  tools: Matrix;
  /** For each request the rows of the tools that it needs, at least one, none twice. */
  relevant: readonly (readonly number[])[];
  /** For each request the rows of the tools nearest to it, as many as a search considers, nearest first. */
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

/** Some of the requests of a pool, among all of its tools. */
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
 * The candidates of each request of a pool in the order that an adapter gives, the best first.
 *
 * @param weights of the adapter, dimension × dimension; without one the nearest come first
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

/** The share of the tools needed that is among the first `count`, for each request of a pool. */
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

/** The rows with the highest scores, the best first, ties in their order. */
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
