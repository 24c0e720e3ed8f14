import { finiteResult, requireNotNegative } from "./checks.js";

/**
 * Calculate the area of a circle from its radius.
 *
 * @param radius - radius of the circle, zero or more
 * @returns the area, in square units
 */
export function areaCircle(radius: number): number {
  requireNotNegative({ radius });
  return finiteResult(Math.PI * radius ** 2);
}

/**
 * Calculate the circumference of a circle from its radius.
 *
 * @param radius - radius of the circle, zero or more
 * @returns the circumference, in the unit of the radius
 */
export function circumferenceCircle(radius: number): number {
  requireNotNegative({ radius });
  return finiteResult(2 * Math.PI * radius);
}

/**
 * Calculate the area of an ellipse from its semi-major and semi-minor axis.
 *
 * @param major_axis - semi-major axis: half of the longest diameter of the ellipse
 * @param minor_axis - semi-minor axis: half of the shortest diameter of the ellipse
 * @returns the area, in square units
 * @example an ellipse 6 m long and 4 m wide has the semi-axes 3 and 2 and an area of 18.8 m²
 */
export function areaOfEllipse(major_axis: number, minor_axis: number): number {
  requireNotNegative({ major_axis, minor_axis });
  return finiteResult(Math.PI * major_axis * minor_axis);
}

/**
 * Calculate the perimeter of an ellipse, the distance around it, from its semi-major and semi-minor
 * axis, with Ramanujan's second approximation.
 *
 * @param major_axis - semi-major axis: half of the longest diameter of the ellipse
 * @param minor_axis - semi-minor axis: half of the shortest diameter of the ellipse
 * @returns the perimeter, in the unit of the axes; exact for a circle, at most 0.05 % off
 * @example an ellipse 6 m long and 4 m wide has the semi-axes 3 and 2 and a perimeter of 15.9 m
 */
export function perimeterOfEllipse(major_axis: number, minor_axis: number): number {
  requireNotNegative({ major_axis, minor_axis });
  const sum = finiteResult(major_axis + minor_axis);
  if (sum === 0) return 0;
  const flatness = 3 * ((major_axis - minor_axis) / sum) ** 2;
  return finiteResult(Math.PI * sum * (1 + flatness / (10 + Math.sqrt(4 - flatness))));
}
