import { finiteResult, requireWhole } from "./checks.js";

/** Only 15 decimal digits of a double are certain. */
const MAX_DIGITS = 15;

/**
 * Round a number to a given count of decimal places, or to the nearest whole number.
 *
 * @param number - number to round
 * @param digits - decimal places to keep, a whole number from -15 to 15; 0 rounds to a whole number, -2 to hundreds
 * @returns the rounded number; a half is rounded away from zero: 2.5 becomes 3, -2.5 becomes -3
 * @example round 3.14159 to 2 decimal places gives 3.14
 */
export function roundNumber(number: number, digits: number = 0): number {
  requireWhole({ digits }, { min: -MAX_DIGITS, max: MAX_DIGITS });
  // There is nothing to round, and the shift could leave the range of a double.
  if (digits >= 0 && Number.isInteger(number)) return finiteResult(number);
  const rounded = timesPowerOfTen(Math.round(timesPowerOfTen(Math.abs(number), digits)), -digits);
  return finiteResult(Math.sign(number) * rounded);
}

/**
 * Round a number down to a whole number (floor).
 *
 * @param number - number to round down
 * @returns the largest whole number that is not above the number: -2.5 becomes -3
 */
export function floorNumber(number: number): number {
  return finiteResult(Math.floor(number));
}

/**
 * Round a number up to a whole number (ceiling).
 *
 * @param number - number to round up
 * @returns the smallest whole number that is not below the number: -2.5 becomes -2
 */
export function ceilNumber(number: number): number {
  return finiteResult(Math.ceil(number));
}

/**
 * Moves the decimal point of a number as it is written. A multiplication would turn 1.005 into
 * 100.49999999999999 and so round the written half of 1.005 down.
 */
function timesPowerOfTen(number: number, power: number): number {
  const [digits, exponent = "0"] = String(number).split("e");
  return Number(`${digits}e${Number(exponent) + power}`);
}
