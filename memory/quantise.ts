import { VECTOR_STEP } from "./scalarProducts.js";

/** What 1 becomes: the largest number of a byte with a sign. */
const SCALE = 127;

/** Bytes of a quantised vector: zeros fill it up to whole steps of a comparison. */
export function quantisedLength(dimension: number): number {
  return Math.ceil(dimension / VECTOR_STEP) * VECTOR_STEP;
}

/**
 * A vector of unit length with one byte a component. Cosines of such vectors differ from the exact
 * ones by some thousandths.
 */
export function quantise(unit: readonly number[]): Int8Array {
  const quantised = new Int8Array(quantisedLength(unit.length));
  for (const [at, component] of unit.entries()) quantised[at] = Math.round(component * SCALE);
  return quantised;
}

/**
 * The scalar product of a vector with itself. As a whole number it makes the cosine of two equal
 * vectors 1, with nothing lost in rounding.
 */
export function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (const component of vector) sum += component * component;
  return sum;
}
