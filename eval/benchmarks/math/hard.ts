import { HARD_FIGURES } from "./hardFigures.js";
import { HARD_SHAPES } from "./hardShapes.js";
import type { SolvableTask } from "./solvableTask.js";

/**
 * Tasks that take four calls or more; no two of them take the same tools. They go by their ids, so
 * that the first few are of every kind.
 */
export const HARD: readonly SolvableTask[] = [...HARD_SHAPES, ...HARD_FIGURES].toSorted(
  (left, right) => left.id.localeCompare(right.id, "en"),
);
