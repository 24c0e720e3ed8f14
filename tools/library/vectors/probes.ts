import type { Cells } from "./cells.js";
import { distanceAt, nearestRows, queryOf } from "./distance.js";

/** Learns from the vectors of a library how many of its cells a search has to look at. */
export interface ProbeMeter {
  /** Takes note of a vector; must be called for each. */
  see: (vector: Float32Array, cell: number) => void;
  /** How many cells, the nearest first, hold nearly all of the nearest vectors. */
  probed: () => number;
}

/** Number of trial searches, and how many of the nearest vectors each has to find. */
const TRIALS = 64;
const NEAREST = 10;

/**
 * A search looks at so many times the cells that hold this share of the nearest vectors, which finds nearly all of
 * them. Measuring a larger share directly would take far more trials.
 */
const SHARE_FOUND = 0.95;
const TIMES = 2;

/**
 * It looks at no fewer cells than this times the root of their number: with so many, 98 % of the ten tools nearest to
 * real requests are found, among 100,000 as among a million (docs/retrieval.md).
 */
const LEAST_PER_ROOT = 1.3;

/** Length of the random vector that is added to a vector of length 1 for a trial. */
const MOVED = 1.25;

/**
 * Measures with vectors of the library itself, each moved in a random direction: they are then as far from the tools as
 * phrases are (0.7 on average), and their nearest tools are spread over as many cells.
 *
 * @param options.sample vectors of the library, one after another
 */
export function probeMeter(options: {
  cells: Cells;
  sample: Float32Array;
  dimension: number;
}): ProbeMeter {
  const { cells, sample, dimension } = options;
  const size = sample.length / dimension;
  const random = randomNumbers();
  const trials = Array.from({ length: TRIALS }, (_, trial) => {
    const start = Math.floor((trial * size) / TRIALS) * dimension;
    const query = queryOf(movedVector(sample.subarray(start, start + dimension), random));
    return { query, nearest: [] as { cell: number; distance: number }[] };
  });
  return {
    see: (vector, cell) => {
      for (const { query, nearest } of trials) {
        const distance = distanceAt(query, vector);
        if (distance >= (nearest[NEAREST - 1]?.distance ?? Number.POSITIVE_INFINITY)) continue;
        const place = nearest.findIndex((other) => other.distance > distance);
        nearest.splice(place === -1 ? nearest.length : place, 0, { cell, distance });
        nearest.length = Math.min(nearest.length, NEAREST);
      }
    },
    probed: () => {
      const ranks = trials.flatMap(({ query, nearest }) => {
        const order = nearestRows(query, cells.centroids);
        return nearest.map(({ cell }) => order.indexOf(cell));
      });
      ranks.sort((one, other) => one - other);
      const last = ranks[Math.ceil(ranks.length * SHARE_FOUND) - 1] ?? 0;
      const count = cells.centroids.length / dimension;
      const least = Math.round(LEAST_PER_ROOT * Math.sqrt(count));
      return Math.min(Math.max(TIMES * (last + 1), least), count);
    },
  };
}

/** A unit vector near another one, in a random direction. */
function movedVector(vector: Float32Array, random: () => number): number[] {
  const reach = MOVED * Math.sqrt(12 / vector.length);
  const moved = Array.from(vector, (value) => value + reach * (random() - 0.5));
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}

/** Numbers from 0 to 1 that are the same every time (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
