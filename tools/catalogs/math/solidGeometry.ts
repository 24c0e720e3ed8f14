import { finiteResult, requireNotNegative } from "./checks.js";

/**
 * Calculate the volume of a cube from the length of its side.
 *
 * @param side_length - length of one edge, zero or more
 * @returns the volume, in cubic units
 */
export function volumeCube(side_length: number): number {
  requireNotNegative({ side_length });
  return finiteResult(side_length ** 3);
}

/**
 * Calculate the surface area of a cube from the length of its side.
 *
 * @param side_length - length of one edge, zero or more
 * @returns the area of all six faces, in square units
 */
export function surfaceAreaCube(side_length: number): number {
  requireNotNegative({ side_length });
  return finiteResult(6 * side_length ** 2);
}

/**
 * Calculate the volume of a sphere or ball from its radius.
 *
 * @param radius - radius of the sphere, zero or more
 * @returns the volume, in cubic units
 */
export function volumeSphere(radius: number): number {
  requireNotNegative({ radius });
  return finiteResult((4 * Math.PI * radius ** 3) / 3);
}

/**
 * Calculate the surface area of a sphere or ball from its radius.
 *
 * @param radius - radius of the sphere, zero or more
 * @returns the surface area, in square units
 */
export function surfaceAreaSphere(radius: number): number {
  requireNotNegative({ radius });
  return finiteResult(4 * Math.PI * radius ** 2);
}

/**
 * Calculate the volume of a cylinder from its radius and height.
 *
 * @param radius - radius of the round base, zero or more
 * @param height - height of the cylinder, zero or more
 * @returns the volume, in cubic units
 */
export function volumeCylinder(radius: number, height: number): number {
  requireNotNegative({ radius, height });
  return finiteResult(Math.PI * radius ** 2 * height);
}

/**
 * Calculate the total surface area of a closed cylinder, with top and bottom, from its radius and height.
 *
 * @param radius - radius of the round base, zero or more
 * @param height - height of the cylinder, zero or more
 * @returns the area of the curved side and both ends, in square units
 */
export function surfaceAreaOfCylinder(radius: number, height: number): number {
  requireNotNegative({ radius, height });
  return finiteResult(2 * Math.PI * radius * (radius + height));
}

/**
 * Calculate the volume of a cone from its radius and height.
 *
 * @param radius - radius of the round base, zero or more
 * @param height - height from the base to the tip, zero or more
 * @returns the volume, in cubic units
 */
export function volumeCone(radius: number, height: number): number {
  requireNotNegative({ radius, height });
  return finiteResult((Math.PI * radius ** 2 * height) / 3);
}

/**
 * Calculate the volume of a prism from the area of its base and its height.
 *
 * @param base_area - area of the base, zero or more
 * @param height - distance between the two bases, zero or more
 * @returns the volume, in cubic units
 */
export function volumeOfPrism(base_area: number, height: number): number {
  requireNotNegative({ base_area, height });
  return finiteResult(base_area * height);
}

/**
 * Calculate the total surface area of a right prism from the perimeter and area of its base and its height.
 *
 * @param base_perimeter - perimeter of the base, zero or more
 * @param base_area - area of the base, zero or more
 * @param height - distance between the two bases, zero or more
 * @returns the area of the sides and both bases, in square units
 */
export function surfaceAreaOfPrism(
  base_perimeter: number,
  base_area: number,
  height: number,
): number {
  requireNotNegative({ base_perimeter, base_area, height });
  return finiteResult(2 * base_area + base_perimeter * height);
}

/**
 * Calculate the volume of a pyramid from the area of its base and its height.
 *
 * @param base_area - area of the base, zero or more
 * @param height - height from the base to the apex, zero or more
 * @returns the volume, in cubic units
 */
export function volumeOfPyramid(base_area: number, height: number): number {
  requireNotNegative({ base_area, height });
  return finiteResult((base_area * height) / 3);
}

/**
 * Calculate the total surface area of a pyramid from the area of its base and of its sides.
 *
 * @param base_area - area of the base, zero or more
 * @param lateral_area - area of all the side faces together, zero or more
 * @returns the area of base and sides together, in square units
 */
export function surfaceAreaOfPyramid(base_area: number, lateral_area: number): number {
  requireNotNegative({ base_area, lateral_area });
  return finiteResult(base_area + lateral_area);
}

/**
 * Calculate the volume of a torus, the shape of a ring or doughnut, from its two radii.
 *
 * @param major_radius - distance from the center of the torus to the center of the tube
 * @param minor_radius - radius of the tube, at most the major radius
 * @returns the volume, in cubic units
 */
export function volumeOfTorus(major_radius: number, minor_radius: number): number {
  requireTorus(major_radius, minor_radius);
  return finiteResult(2 * Math.PI ** 2 * major_radius * minor_radius ** 2);
}

/**
 * Calculate the surface area of a torus, the shape of a ring or doughnut, from its two radii.
 *
 * @param major_radius - distance from the center of the torus to the center of the tube
 * @param minor_radius - radius of the tube, at most the major radius
 * @returns the surface area, in square units
 */
export function surfaceAreaOfTorus(major_radius: number, minor_radius: number): number {
  requireTorus(major_radius, minor_radius);
  return finiteResult(4 * Math.PI ** 2 * major_radius * minor_radius);
}

/** A tube thicker than the ring's radius would overlap itself, where the formulas do not hold. */
function requireTorus(major_radius: number, minor_radius: number): void {
  requireNotNegative({ major_radius, minor_radius });
  if (minor_radius > major_radius) {
    throw new RangeError(
      `minor_radius must be at most the major_radius (${major_radius}); got ${minor_radius}`,
    );
  }
}
