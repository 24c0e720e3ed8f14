import { type TrainingPool, trainingPool } from "../../../../tools/library/adapter/pool.js";

/** Numbers in [0, 1), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Vectors of random directions, of unit length. */
export function directions(options: {
  count: number;
  dimension: number;
  random: () => number;
}): Float64Array[] {
  const { count, dimension, random } = options;
  return Array.from({ length: count }, () =>
    unit(Float64Array.from({ length: dimension }, () => random() - 0.5)),
  );
}

export function unit(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/**
 * Requests that are the vector of their tool and, louder, a manner that all of them share and that
 * says nothing: tools in the direction of the manner lie too near to all. One matrix puts that right.
 */
export function manneredPool(options: {
  tools: readonly Float64Array[];
  manner: Float64Array;
  /** The rows of the tools that requests ask for. */
  wanted: readonly number[];
  noise: number;
  random: () => number;
}): TrainingPool {
  const { tools, manner, wanted, noise, random } = options;
  const requests = wanted.map((tool) => {
    const asked = manner.map((value, at) => 3 * value + (tools[tool]?.[at] ?? 0));
    const vector = unit(asked.map((value) => value + noise * (random() - 0.5)));
    return { vector, relevant: [tool] };
  });
  return trainingPool({ tools, requests });
}
