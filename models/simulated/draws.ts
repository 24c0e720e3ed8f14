import { sha256 } from "../../tools/library/hash.js";

/** Draws for named purposes, each a number in [0, 1) that depends on its purpose and the situation. */
export type Draws = (purpose: string) => number;

/** Hexadecimal digits of a hash that make a draw: 48 bits. */
const DIGITS = 12;

/** The same situation gives the same draws, in whatever order they are asked for. */
export function drawsIn(situation: unknown): Draws {
  const text = JSON.stringify(situation);
  return (purpose) =>
    Number.parseInt(sha256(`${purpose}\n${text}`).slice(0, DIGITS), 16) / 16 ** DIGITS;
}
