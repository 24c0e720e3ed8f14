/** What 1 becomes: the largest number of a byte with a sign. */
const SCALE = 127;

/**
 * A vector of unit length as one byte a component. Cosines of such vectors differ from the exact ones
 * by some thousandths.
 */
export function quantise(unit: readonly number[]): Int8Array {
  return Int8Array.from(unit, (component) => Math.round(component * SCALE));
}

/** The length of the vector that begins at a place: quantised, it is not quite the scale. */
export function lengthAt(options: {
  components: Int8Array;
  start: number;
  dimension: number;
}): number {
  const { components, start, dimension } = options;
  let sum = 0;
  for (let i = start; i < start + dimension; i += 1) sum += (components[i] ?? 0) ** 2;
  return Math.sqrt(sum);
}

/**
 * Gives the scalar product of a vector with the one that begins at a place in an array of many. Sums
 * are kept in four parts, which the processor adds at the same time; whole numbers need no rounding,
 * so the order does not matter.
 */
export function scalarProductWith(
  vector: Int8Array,
): (components: Int8Array, start: number) => number {
  const whole = vector.length - (vector.length % 4);
  return (components, start) => {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0, j = start; i < whole; i += 4, j += 4) {
      a = (a + Math.imul(vector[i] ?? 0, components[j] ?? 0)) | 0;
      b = (b + Math.imul(vector[i + 1] ?? 0, components[j + 1] ?? 0)) | 0;
      c = (c + Math.imul(vector[i + 2] ?? 0, components[j + 2] ?? 0)) | 0;
      d = (d + Math.imul(vector[i + 3] ?? 0, components[j + 3] ?? 0)) | 0;
    }
    for (let i = whole; i < vector.length; i += 1) {
      a = (a + Math.imul(vector[i] ?? 0, components[start + i] ?? 0)) | 0;
    }
    return a + b + c + d;
  };
}
