import {
  byPlace,
  finiteResult,
  requireNotNegative,
  requireNumbers,
  requirePositive,
} from "./checks.js";
import { accurateSum } from "./summation.js";

/**
 * Calculate the hypotenuse, the longest side of a right triangle, from its two legs (Pythagoras).
 *
 * @param a - length of one leg, zero or more
 * @param b - length of the other leg, zero or more
 * @returns the length of the hypotenuse, in the unit of the legs
 */
export function hypotenuse(a: number, b: number): number {
  requireNotNegative({ a, b });
  return finiteResult(euclideanLength(a, b));
}

/**
 * Calculate the area of a triangle from its base and height.
 *
 * @param base - length of the base, zero or more
 * @param height - height of the triangle above the base, zero or more
 * @returns the area, in square units
 */
export function areaTriangle(base: number, height: number): number {
  requireNotNegative({ base, height });
  return finiteResult((base * height) / 2);
}

/**
 * Calculate the perimeter of a triangle from its three sides.
 *
 * @param sides - list of the three side lengths; the longest is shorter than the others together
 * @returns the perimeter, in the unit of the sides
 */
export function perimeterTriangle(sides: number[]): number {
  requireNumbers({ sides });
  if (sides.length !== 3) {
    throw new RangeError(`sides must hold the 3 sides of a triangle; got ${sides.length}`);
  }
  requirePositive(byPlace("sides", sides));
  const perimeter = finiteResult(accurateSum(sides));
  const longest = Math.max(...sides);
  if (longest >= perimeter - longest) {
    throw new RangeError(`sides must close to a triangle; got ${sides.join(", ")}`);
  }
  return perimeter;
}

/**
 * Calculate the straight distance between two points given by their x and y coordinates.
 *
 * @param x1 - x coordinate of the first point
 * @param y1 - y coordinate of the first point
 * @param x2 - x coordinate of the second point
 * @param y2 - y coordinate of the second point
 * @returns the distance, in the unit of the coordinates
 */
export function distanceBetweenPoints(x1: number, y1: number, x2: number, y2: number): number {
  return finiteResult(euclideanLength(x2 - x1, y2 - y1));
}

/** Between these, a sum of two squares neither overflows nor loses bits to underflow. */
const SAFE_SQUARES = { min: 1e-280, max: 1e280 };

/**
 * `Math.hypot` scales its arguments, which protects very large and very small ones but turns many
 * whole results into fractions (hypot(20, 99) is one); the plain formula gives those exactly.
 */
function euclideanLength(x: number, y: number): number {
  const squares = x * x + y * y;
  const safe = squares > SAFE_SQUARES.min && squares < SAFE_SQUARES.max;
  return safe ? Math.sqrt(squares) : Math.hypot(x, y);
}

/**
 * Calculate the sine of an angle.
 *
 * @param angle - angle in radians
 * @returns the sine, from -1 to 1
 */
export function sine(angle: number): number {
  return finiteResult(Math.sin(angle));
}

/**
 * Calculate the cosine of an angle.
 *
 * @param angle - angle in radians
 * @returns the cosine, from -1 to 1
 */
export function cosine(angle: number): number {
  return finiteResult(Math.cos(angle));
}

/**
 * Calculate the tangent of an angle.
 *
 * @param angle - angle in radians
 * @returns the tangent; very large next to a right angle, whose radians no double hits exactly
 */
export function tangent(angle: number): number {
  return finiteResult(Math.tan(angle));
}
