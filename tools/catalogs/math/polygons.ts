import { finiteResult, requireNotNegative } from "./checks.js";

/**
 * Calculate the area of a rectangle from its length and width.
 *
 * @param length - length of the rectangle, zero or more
 * @param width - width of the rectangle, zero or more
 * @returns the area, in square units
 */
export function areaRectangle(length: number, width: number): number {
  requireNotNegative({ length, width });
  return finiteResult(length * width);
}

/**
 * Calculate the perimeter of a rectangle from its length and width.
 *
 * @param length - length of the rectangle, zero or more
 * @param width - width of the rectangle, zero or more
 * @returns the perimeter, in the unit of the sides
 */
export function perimeterRectangle(length: number, width: number): number {
  requireNotNegative({ length, width });
  return finiteResult(2 * (length + width));
}

/**
 * Calculate the area of a square from the length of its side.
 *
 * @param side_length - length of one side, zero or more
 * @returns the area, in square units
 */
export function areaSquare(side_length: number): number {
  requireNotNegative({ side_length });
  return finiteResult(side_length ** 2);
}

/**
 * Calculate the perimeter of a square from the length of its side.
 *
 * @param side_length - length of one side, zero or more
 * @returns the perimeter, in the unit of the side
 */
export function perimeterSquare(side_length: number): number {
  requireNotNegative({ side_length });
  return finiteResult(4 * side_length);
}

/**
 * Calculate the area of a parallelogram from its base and height.
 *
 * @param base - length of the base, zero or more
 * @param height - height at a right angle to the base, zero or more
 * @returns the area, in square units
 */
export function areaParallelogram(base: number, height: number): number {
  requireNotNegative({ base, height });
  return finiteResult(base * height);
}

/**
 * Calculate the area of a trapezoid from its two parallel sides and its height.
 *
 * @param base1 - length of the first parallel side, zero or more
 * @param base2 - length of the second parallel side, zero or more
 * @param height - distance between the parallel sides, zero or more
 * @returns the area, in square units
 */
export function areaTrapezoid(base1: number, base2: number, height: number): number {
  requireNotNegative({ base1, base2, height });
  return finiteResult(((base1 + base2) / 2) * height);
}

/**
 * Calculate the area of a rhombus from its two diagonals.
 *
 * @param diagonal1 - length of the first diagonal, zero or more
 * @param diagonal2 - length of the second diagonal, zero or more
 * @returns the area, in square units
 */
export function areaOfRhombus(diagonal1: number, diagonal2: number): number {
  requireNotNegative({ diagonal1, diagonal2 });
  return finiteResult((diagonal1 * diagonal2) / 2);
}

/**
 * Calculate the area of a regular hexagon from the length of its side.
 *
 * @param side - length of one side, zero or more
 * @returns the area, in square units
 */
export function areaOfHexagon(side: number): number {
  requireNotNegative({ side });
  return finiteResult(1.5 * Math.sqrt(3) * side ** 2);
}

/**
 * Calculate the perimeter of a regular hexagon from the length of its side.
 *
 * @param side - length of one side, zero or more
 * @returns the perimeter, in the unit of the side
 */
export function perimeterOfHexagon(side: number): number {
  requireNotNegative({ side });
  return finiteResult(6 * side);
}
