import { matrixOf, rowOf } from "./matrix.js";
import type { TrainingPool } from "./pool.js";
import type { RankingBatch } from "./rankingLoss.js";

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** Requests in a batch, each with one of its tools. */
const BATCH_SIZE = 32;

/** How many of the nearest wrong tools of each request are in its batch. */
const NEAR_MISSES = 8;

/** A pool, with the nearest wrong tools of each of its requests. */
export interface MinedPool extends TrainingPool {
  nearMisses: readonly (readonly number[])[];
}

/**
 * Finds the wrong tools that a search without an adapter ranks first for each request. Random tools would mostly be too
 * easy to tell from the right ones to teach anything.
 */
export function minePool(pool: TrainingPool): MinedPool {
  const nearMisses = pool.candidates.map((rows, query) => {
    const relevant = new Set(pool.relevant[query]);
    return rows.filter((tool) => !relevant.has(tool)).slice(0, NEAR_MISSES);
  });
  return { ...pool, nearMisses };
}

/** The pools of one round of training in a random order, each drawn in proportion to the root of its size. */
export function drawPools(pools: readonly TrainingPool[], random: Random): number[] {
  const roots = pools.map(({ relevant }) => Math.sqrt(relevant.length));
  const sum = roots.reduce((total, root) => total + root, 0);
  const requests = pools.reduce((total, { relevant }) => total + relevant.length, 0);
  const batches = requests / BATCH_SIZE;
  const drawn = roots.flatMap((root, pool) =>
    Array.from({ length: Math.ceil((batches * root) / sum) }, () => pool),
  );
  return drawn
    .map((pool) => ({ pool, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ pool }) => pool);
}

/** A batch of random requests of a pool, which must have some, each with one of the tools that it needs. */
export function drawBatch(pool: MinedPool, random: Random): RankingBatch {
  const { dimension, relevant, nearMisses } = pool;
  const places = new Map<number, number>();
  const place = (tool: number) => {
    const at = places.get(tool) ?? places.size;
    places.set(tool, at);
    return at;
  };
  const draw = (length: number) => Math.floor(random() * length);
  const rows = Array.from({ length: BATCH_SIZE }, () => draw(relevant.length));
  const targets = rows.map((row) => {
    const tools = relevant[row] ?? [];
    return place(tools[draw(tools.length)] ?? 0);
  });
  for (const tool of rows.flatMap((row) => nearMisses[row] ?? [])) place(tool);
  return {
    dimension,
    targets,
    masked: rows.map((row) => new Set(relevant[row]?.flatMap((tool) => places.get(tool) ?? []))),
    queries: matrixOf(
      rows.map((row) => rowOf(pool.queries, row, dimension)),
      dimension,
    ),
    tools: matrixOf(
      [...places.keys()].map((tool) => rowOf(pool.tools, tool, dimension)),
      dimension,
    ),
  };
}
