/** Tools as a model writes them. */
export const SQUARE_ROOT = `Here is the function:

\`\`\`ts
/**
 * Square root of a number.
 * @param value The number; not negative.
 * @returns its square root
 * @example square_root(16) => 4
 * @example square_root(-4) => throws
 */
export function square_root(value: number): number {
  if (value < 0) throw new Error("the square root of a negative number is not a real number");
  return Math.sqrt(value);
}
\`\`\``;

/** Other words of the same tool: it gives the imaginary root of a negative number as text. */
export const IMAGINARY_SQUARE_ROOT = `\`\`\`ts
/**
 * Square root of a number; of a negative one, the imaginary root as a text.
 * @param value The number.
 * @returns its square root, or a text such as "2i"
 * @example square_root(16) => 4
 * @example square_root(-4) => "2i"
 */
export function square_root(value: number): number | string {
  return value < 0 ? \`\${Math.sqrt(-value)}i\` : Math.sqrt(value);
}
\`\`\``;

/** It breaks an example of the tool before, and does not say so. */
export const BROKEN_SQUARE_ROOT = `\`\`\`ts
/**
 * Square root of a number, rounded.
 * @param value The number.
 * @returns its square root as a whole number
 * @example square_root(2) => 1
 * @example square_root(10) => 3
 */
export function square_root(value: number): number {
  return Math.round(Math.sqrt(Math.abs(value)));
}
\`\`\``;

export const DIGIT_SUM = `\`\`\`ts
/**
 * Sum of the digits of a whole number.
 * @param value The number, not negative.
 * @returns the sum of its digits
 * @example digit_sum(123) => 6
 * @example digit_sum(99) => 18
 */
export function digit_sum(value: number): number {
  return [...String(value)].reduce((sum, digit) => sum + Number(digit), 0);
}
\`\`\``;

/** It uses a text as a number. */
export const WRONG_TYPES = DIGIT_SUM.replace("Number(digit)", "digit");
