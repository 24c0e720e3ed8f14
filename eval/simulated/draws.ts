import { hashedShare } from "../statistics/random.js";

/** A number in [0, 1) that depends on a purpose and the situation. */
export type Draws = (purpose: string) => number;

/** The same situation gives the same draws, in any order. */
export function drawsIn(situation: unknown): Draws {
  const text = JSON.stringify(situation);
  return (purpose) => hashedShare(`${purpose}\n${text}`);
}
