import { finiteResult, requireNotZero, requirePositive, requireWhole } from "./checks.js";

/** Far beyond the 18 terms after which a double no longer changes. */
const MAX_EULER_TERMS = 1000;

/**
 * Raise a number to a power, such as squaring it.
 *
 * @param base - number that is raised; negative only with a whole exponent
 * @param exponent - power that the base is raised to
 * @returns the base to the power of the exponent
 */
export function power(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) {
    throw new RangeError(`base must not be 0 with a negative exponent; got ${exponent}`);
  }
  if (base < 0 && !Number.isInteger(exponent)) {
    throw new RangeError(`${base} has no real power with the fractional exponent ${exponent}`);
  }
  return finiteResult(base ** exponent);
}

/**
 * Take the square root of a number.
 *
 * @param number - number to take the square root of, zero or more
 * @returns the square root, zero or more
 */
export function sqrt(number: number): number {
  if (number < 0)
    throw new RangeError(`number must be 0 or more; ${number} has no real square root`);
  return finiteResult(Math.sqrt(number));
}

/**
 * Calculate the nth root of a number, such as the cube root or the fourth root.
 *
 * @param number - number to take the root of; negative only with an odd whole root
 * @param root - degree n of the root: 3 for the cube root; may have a fraction; not zero
 * @returns the real nth root of the number
 * @example the cube root of 216 is 6
 */
export function nthRoot(number: number, root: number): number {
  requireNotZero({ root });
  if (number === 0 && root < 0) {
    throw new RangeError(`number must not be 0 with a negative root; got root ${root}`);
  }
  if (number < 0 && Math.abs(root % 2) !== 1) {
    throw new RangeError(`${number} has no real root of degree ${root}`);
  }
  return finiteResult(Math.sign(number) * positiveRoot(Math.abs(number), root));
}

/**
 * Calculate the logarithm (log) of a number, natural or to a given base.
 *
 * @param number - number to take the logarithm of, greater than zero
 * @param base - base of the logarithm, greater than zero and not 1; Euler's number e when left out
 * @returns the exponent that the base has to be raised to
 */
export function log(number: number, base: number = Math.E): number {
  requirePositive({ number, base });
  if (base === 1) throw new RangeError("base must not be 1: every power of 1 is 1");
  if (base === Math.E) return finiteResult(Math.log(number));
  if (base === 2) return finiteResult(Math.log2(number));
  if (base === 10) return finiteResult(Math.log10(number));
  const exponent = Math.log(number) / Math.log(base);
  const whole = Math.round(exponent);
  return finiteResult(base ** whole === number ? whole : exponent);
}

/**
 * Approximate Euler's number e, about 2.71828, by adding up the first terms of its series.
 *
 * @param iterations - count of terms of the series 1/0! + 1/1! + 1/2! + …, from 1 to 1000
 * @returns the approximation of e
 */
export function eulerNumberApproximation(iterations: number): number {
  requireWhole({ iterations }, { min: 1, max: MAX_EULER_TERMS });
  let sum = 1;
  // From the last term inwards (Horner), so that rounding errors shrink with every step.
  for (let divisor = iterations - 1; divisor >= 1; divisor -= 1) sum = 1 + sum / divisor;
  return finiteResult(sum);
}

/** 1/3 is not a double: powers by it miss whole roots by a hair, as 216 ** (1/3) does. */
function positiveRoot(number: number, root: number): number {
  if (root === 2) return Math.sqrt(number);
  if (root === 3) return Math.cbrt(number);
  const estimate = number ** (1 / root);
  const whole = Math.round(estimate);
  return whole ** root === number ? whole : estimate;
}
