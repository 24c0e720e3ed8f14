import { affinity } from "./affinity.js";
import type { Parameter } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { type Results, valueFor } from "./values.js";

/** A value that a parameter may take, and how clearly it is meant for it. */
export interface Pair {
  parameter: Parameter;
  mention: Mention;
  value: unknown;
  score: number;
}

/** Below this the words around a value say that it is for something else. */
const AFFINITY_FLOOR = -0.25;

/** A value as an argument, unless its type does not fit or its words speak against it. */
export function pairOf(options: {
  parameter: Parameter;
  mention: Mention;
  results: Results;
}): Pair | undefined {
  const value = valueFor(options);
  if (value === undefined) return undefined;
  const { parameter, mention } = options;
  const score = affinity(options);
  return score > AFFINITY_FLOOR ? { parameter, mention, value, score } : undefined;
}
