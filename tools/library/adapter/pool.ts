import { rowProducts, type Rows } from "./matrix.js";

/** How many of the nearest tools an adapter puts in order. It does not bring in tools from behind these. */
export const CANDIDATES = 100;

/** A request and the tools that it needs, by their places in a pool. */
interface TrainingRequest {
  vector: Float64Array;
  /** At least one, all different. */
  relevant: readonly number[];
  /** The `CANDIDATES` nearest tools, nearest first. */
  candidates: readonly number[];
}

/** Requests and the tools that they search, embedded; all vectors have unit length and one length of numbers. */
export interface TrainingPool<Request extends TrainingRequest = TrainingRequest> {
  tools: Rows;
  requests: readonly Request[];
}

/** Makes a pool: finds the candidates of each request, which no adapter changes. */
export function trainingPool<Request extends Omit<TrainingRequest, "candidates">>(pool: {
  tools: Rows;
  requests: readonly Request[];
}): TrainingPool<Request & TrainingRequest> {
  const { tools } = pool;
  const requests = pool.requests.map((request) => {
    const [scores = new Float64Array()] = rowProducts([request.vector], tools);
    return { ...request, candidates: bestRows(scores, CANDIDATES) };
  });
  return { tools, requests };
}

/**
 * The candidates of each request in the order of an adapter, best first.
 *
 * @param weights of the adapter; without them, nearest first
 */
export function rankPool(
  { tools, requests }: TrainingPool,
  weights?: Rows,
): readonly (readonly number[])[] {
  if (!weights) return requests.map(({ candidates }) => candidates);
  const vectors = requests.map(({ vector }) => vector);
  const adapted = rowProducts(vectors, weights);
  return requests.map(({ candidates }, at) => {
    const compared = candidates.map((tool) => tools[tool] ?? new Float64Array());
    const [scores = new Float64Array()] = rowProducts(adapted.slice(at, at + 1), compared);
    const order = [...candidates.keys()];
    order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
    return order.map((place) => candidates[place] ?? 0);
  });
}

/** For each request of a pool, the share of the tools needed that are among the first `count`. */
export function poolRecalls(options: {
  pool: TrainingPool;
  weights?: Rows;
  count: number;
}): number[] {
  const { pool, weights, count } = options;
  const ranked = rankPool(pool, weights);
  return pool.requests.map(({ relevant }, at) => {
    const found = new Set(ranked[at]?.slice(0, count));
    return relevant.filter((tool) => found.has(tool)).length / relevant.length;
  });
}

/** The places with the highest scores, best first, ties in their order. */
function bestRows(scores: Float64Array, count: number): number[] {
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
