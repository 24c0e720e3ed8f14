import { exactResult, finiteResult, requireWhole } from "./checks.js";

/**
 * Calculate the sum of all the digits of a number.
 *
 * @param number - whole number; the sign of a negative one is ignored
 * @returns the sum of its decimal digits
 * @example the digits of 408 add up to 12
 */
export function sumOfDigits(number: number): number {
  requireWhole({ number });
  return digitsOf(number).reduce((sum, digit) => sum + digit, 0);
}

/**
 * Calculate the digital root of a number: add up its digits again and again until a single digit is left.
 *
 * @param number - whole number; the sign of a negative one is ignored
 * @returns the digital root, from 0 to 9; 0 only for 0
 * @example the digital root of 78 is 6, as 7 + 8 is 15 and 1 + 5 is 6
 */
export function digitalRoot(number: number): number {
  requireWhole({ number });
  // A number and the sum of its digits leave the same remainder when divided by 9.
  return number === 0 ? 0 : 1 + ((Math.abs(number) - 1) % 9);
}

/**
 * Check if a number is a palindrome, the same read backwards.
 *
 * @param number - whole number to check
 * @returns true when its digits read the same in both directions; false for negative numbers
 */
export function isPalindrome(number: number): boolean {
  requireWhole({ number });
  const digits = digitsOf(number);
  return number >= 0 && digits.every((digit, index) => digit === digits.at(-1 - index));
}

/**
 * Check whether a number is an Armstrong number (narcissistic number): equal to the sum of its
 * digits, each raised to the power of the count of digits.
 *
 * @param number - whole number to check
 * @returns true when it is an Armstrong number, as 153 is; false for negative numbers
 */
export function isArmstrongNumber(number: number): boolean {
  requireWhole({ number });
  const digits = digitsOf(number);
  // A sum beyond 2^53 may be rounded, but is then larger than every number that is let in.
  return number === digits.reduce((sum, digit) => sum + digit ** digits.length, 0);
}

function digitsOf(number: number): number[] {
  return Array.from(String(Math.abs(number)), Number);
}

/** The greatest common divisor of two numbers with the factors that make it: a·x + b·y = gcd. */
export interface BezoutIdentity {
  /** Greatest common divisor, zero or more. */
  gcd: number;
  /** Factor of a. */
  x: number;
  /** Factor of b. */
  y: number;
}

/**
 * Check if a number is even, not odd.
 *
 * @param number - whole number to check
 * @returns true when the number is even
 */
export function isEven(number: number): boolean {
  requireWhole({ number });
  return number % 2 === 0;
}

/**
 * Check if a number is odd, not even.
 *
 * @param number - whole number to check
 * @returns true when the number is odd
 */
export function isOdd(number: number): boolean {
  requireWhole({ number });
  return number % 2 !== 0;
}

/**
 * Find the greatest common divisor (GCD) of two whole numbers.
 *
 * @param a - first whole number
 * @param b - second whole number
 * @returns the greatest common divisor, never negative; 0 only when both numbers are 0
 */
export function gcd(a: number, b: number): number {
  requireWhole({ a, b });
  return greatestCommonDivisor(a, b);
}

/**
 * Find the least common multiple (LCM) of two whole numbers.
 *
 * @param a - first whole number
 * @param b - second whole number
 * @returns the least common multiple, never negative; 0 when one number is 0
 */
export function lcm(a: number, b: number): number {
  requireWhole({ a, b });
  if (a === 0 || b === 0) return 0;
  const divisor = greatestCommonDivisor(a, b);
  return exactResult(BigInt(Math.abs(a) / divisor) * BigInt(Math.abs(b)));
}

/**
 * Run the extended Euclidean algorithm for the GCD and Bezout's coefficients.
 *
 * @param a - first whole number
 * @param b - second whole number
 * @returns gcd and the coefficients x and y with a times x plus b times y equal to gcd
 * @example 240 and 46 have the greatest common divisor 2 = 240 · (-9) + 46 · 47
 */
export function gcdExtended(a: number, b: number): BezoutIdentity {
  requireWhole({ a, b });
  let [before, current] = [
    { rest: a, x: 1, y: 0 },
    { rest: b, x: 0, y: 1 },
  ];
  while (current.rest !== 0) {
    const rest = before.rest % current.rest;
    const quotient = (before.rest - rest) / current.rest;
    [before, current] = [
      current,
      { rest, x: before.x - quotient * current.x, y: before.y - quotient * current.y },
    ];
  }
  const sign = before.rest < 0 ? -1 : 1;
  return {
    gcd: finiteResult(sign * before.rest),
    x: finiteResult(sign * before.x),
    y: finiteResult(sign * before.y),
  };
}

/**
 * Find the least common multiple (LCM) of two numbers by way of their GCD.
 *
 * @param a - first whole number
 * @param b - second whole number
 * @returns the least common multiple, the same as that of lcm
 */
export function lcmExtended(a: number, b: number): number {
  return lcm(a, b);
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [Math.abs(a), Math.abs(b)];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
