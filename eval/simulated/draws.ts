import { hashedShare } from "../statistics/random.js";

/** Draws for named purposes, each a number in [0, 1) that depends on its purpose and the situation. */
export type Draws = (purpose: string) => number;

/** The same situation gives the same draws, in whatever order they are asked for. */
export function drawsIn(situation: unknown): Draws {
  const text = JSON.stringify(situation);
  return (purpose) => hashedShare(`${purpose}\n${text}`);
}
