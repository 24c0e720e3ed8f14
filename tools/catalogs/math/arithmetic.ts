import { finiteResult, requireNotZero } from "./checks.js";

/**
 * Add two numbers to their sum.
 *
 * @param a - first number of the sum
 * @param b - second number of the sum
 * @returns the sum of a and b
 */
export function add(a: number, b: number): number {
  return finiteResult(a + b);
}

/**
 * Subtract one number from another and get the difference.
 *
 * @param a - number to subtract from
 * @param b - number that is taken away
 * @returns the difference, a minus b
 */
export function subtract(a: number, b: number): number {
  return finiteResult(a - b);
}

/**
 * Multiply two numbers and get their product.
 *
 * @param a - first factor
 * @param b - second factor
 * @returns the product of a and b
 */
export function multiply(a: number, b: number): number {
  return finiteResult(a * b);
}

/**
 * Divide one number by another: the quotient or ratio of two numbers.
 *
 * @param a - dividend, the number that is divided
 * @param b - divisor, the number to divide by; not zero
 * @returns the quotient, a divided by b
 */
export function divide(a: number, b: number): number {
  requireNotZero({ b });
  return finiteResult(a / b);
}

/**
 * Find the remainder that is left when one number is divided by another (modulo).
 *
 * @param a - dividend, the number that is divided
 * @param b - divisor, the number to divide by; not zero
 * @returns the remainder of a divided by b; it has the sign of b, so that -7 modulo 3 is 2
 * @example remainder of 17 divided by 5 is 2
 */
export function modulus(a: number, b: number): number {
  requireNotZero({ b });
  const remainder = a % b;
  // The operator's remainder takes the sign of the dividend; modular arithmetic wants the divisor's.
  const signsDiffer = remainder !== 0 && remainder < 0 !== b < 0;
  return finiteResult(signsDiffer ? remainder + b : remainder);
}

/**
 * Find the absolute value of a number, without its sign.
 *
 * @param number - number that may be negative
 * @returns the number without its sign, zero or more
 */
export function absolute(number: number): number {
  return finiteResult(Math.abs(number));
}

/**
 * Calculate a percentage of a number, such as 15 percent of 80.
 *
 * @param percent - share in percent: 15 means 15 %
 * @param number - number that the share is taken of
 * @returns that many percent of the number
 * @example 15 percent of 80 is 12
 */
export function percentageOf(percent: number, number: number): number {
  return finiteResult((percent * number) / 100);
}

/**
 * Calculate by how many percent a value grew or fell from an old to a new value.
 *
 * @param old_value - value before the change; not zero
 * @param new_value - value after the change
 * @returns the change in percent of the old value's size: positive for a growth, negative for a fall
 * @example a price going from 50 to 60 changes by 20 percent
 */
export function percentageChange(old_value: number, new_value: number): number {
  requireNotZero({ old_value });
  return finiteResult(((new_value - old_value) / Math.abs(old_value)) * 100);
}
