import { finiteResult, requireFinite } from "./checks.js";

/**
 * Calculate the sine of an angle.
 *
 * @name sine
 * @effects read
 * @param angle - angle in radians
 * @returns the sine, from -1 to 1
 */
export function sine(angle: number): number {
  requireFinite({ angle });
  return finiteResult(Math.sin(angle));
}

/**
 * Calculate the cosine of an angle.
 *
 * @name cosine
 * @effects read
 * @param angle - angle in radians
 * @returns the cosine, from -1 to 1
 */
export function cosine(angle: number): number {
  requireFinite({ angle });
  return finiteResult(Math.cos(angle));
}

/**
 * Calculate the tangent of an angle.
 *
 * @name tangent
 * @effects read
 * @param angle - angle in radians
 * @returns the tangent; very large next to a right angle, whose radians no double hits exactly
 */
export function tangent(angle: number): number {
  requireFinite({ angle });
  return finiteResult(Math.tan(angle));
}
