import { requireWhole } from "./checks.js";

/**
 * Calculate the sum of all the digits of a number.
 *
 * @name sum_of_digits
 * @effects read
 * @param number - whole number; the sign of a negative one is ignored
 * @returns the sum of its decimal digits
 * @example the digits of 408 add up to 12
 */
export function sumOfDigits(number: number): number {
  requireWhole({ number });
  return digitsOf(number).reduce((sum, digit) => sum + digit, 0);
}

/**
 * Calculate the digital root of a number: add up its digits again and again until a single digit is
 * left.
 *
 * @name digital_root
 * @effects read
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
 * @name is_palindrome
 * @effects read
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
 * @name is_armstrong_number
 * @effects read
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
