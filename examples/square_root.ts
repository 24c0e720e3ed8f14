/**
 * Square root of a number; of a negative one, the imaginary root as a text.
 *
 * @param value - The number.
 * @returns The square root, for example 4, or a text such as "2i".
 * @example square_root(16) => 4
 * @example square_root(-4) => "2i"
 */
export function square_root(value: number): number | string {
  return value < 0 ? `${Math.sqrt(-value)}i` : Math.sqrt(value);
}
