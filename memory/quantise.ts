import { VECTOR_STEP } from "./scalarProducts.js";

/** What 1 becomes: the largest number of a byte with a sign. */
const SCALE = 127;

/** Bytes of a quantised vector, padded with zeros to whole steps of a comparison. */
export function quantisedLength(dimension: number): number {
  return Math.ceil(dimension / VECTOR_STEP) * VECTOR_STEP;
}

/** A unit vector with one byte per component. Cosines of such vectors are off by some thousandths. */
export function quantise(unit: readonly number[]): Int8Array {
  const quantised = new Int8Array(quantisedLength(unit.length));
  for (const [at, component] of unit.entries()) quantised[at] = Math.round(component * SCALE);
  return quantised;
}

/**
 * The scalar product of a vector with itself. It is a whole number, so the cosine of two equal vectors is
 * exactly 1.
 */
export function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (const component of vector) sum += component * component;
  return sum;
}
