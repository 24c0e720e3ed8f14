import { finiteResult } from "./checks.js";

const ABSOLUTE_ZERO_CELSIUS = -273.15;
const ABSOLUTE_ZERO_FAHRENHEIT = -459.67;

/**
 * Convert an angle from radians to degrees.
 *
 * @param radians - angle in radians
 * @returns the angle in degrees
 */
export function radiansToDegrees(radians: number): number {
  return finiteResult((radians / Math.PI) * 180);
}

/**
 * Convert an angle from degrees to radians.
 *
 * @param degrees - angle in degrees
 * @returns the angle in radians
 */
export function degreesToRadians(degrees: number): number {
  return finiteResult((degrees / 180) * Math.PI);
}

/**
 * Convert a temperature from degrees Celsius to degrees Fahrenheit.
 *
 * @param celsius - temperature in degrees Celsius, not below absolute zero (-273.15)
 * @returns the temperature in degrees Fahrenheit
 */
export function convertCelsiusToFahrenheit(celsius: number): number {
  requireTemperature({ celsius }, ABSOLUTE_ZERO_CELSIUS);
  return finiteResult((celsius * 9) / 5 + 32);
}

/**
 * Convert a temperature from degrees Fahrenheit to degrees Celsius.
 *
 * @param fahrenheit - temperature in degrees Fahrenheit, not below absolute zero (-459.67)
 * @returns the temperature in degrees Celsius
 */
export function convertFahrenheitToCelsius(fahrenheit: number): number {
  requireTemperature({ fahrenheit }, ABSOLUTE_ZERO_FAHRENHEIT);
  return finiteResult(((fahrenheit - 32) * 5) / 9);
}

function requireTemperature(temperature: Record<string, number>, absoluteZero: number): void {
  for (const [scale, value] of Object.entries(temperature)) {
    if (value < absoluteZero) {
      throw new RangeError(
        `${scale} must not be below absolute zero (${absoluteZero}); got ${value}`,
      );
    }
  }
}
