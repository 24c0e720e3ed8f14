/**
 * The mathematics catalog: plain functions that are tools. They only compute and change nothing.
 *
 * Results are not rounded. A value outside what its parameter's text allows ends in a TypeError (no
 * finite number at all) or a RangeError (the wrong one) that names the parameter and the value.
 * Integers are exact up to 2^53 - 1, and a larger result is an error; only factorials go on as the
 * nearest double. No list is longer than 100,000 numbers, and every loop is bounded.
 */
export * from "./algebra.js";
export * from "./arithmetic.js";
export * from "./averages.js";
export * from "./circles.js";
export * from "./combinatorics.js";
export * from "./conversions.js";
export * from "./divisibility.js";
export * from "./finance.js";
export * from "./lists.js";
export * from "./polygons.js";
export * from "./powers.js";
export * from "./primes.js";
export * from "./rounding.js";
export * from "./sequences.js";
export * from "./solidGeometry.js";
export * from "./spread.js";
export * from "./triangles.js";
