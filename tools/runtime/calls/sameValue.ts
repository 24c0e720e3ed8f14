import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";

/** Numbers this near to each other, relative to the larger, are equal. */
const RELATIVE = 1e-9;

/** Near zero: what is left when terms should have cancelled out. */
const ABSOLUTE = 1e-12;

/**
 * Whether a result is the expected one. Both are JSON data, or undefined for none. Numbers may differ by
 * rounding; the order of fields does not matter, the order of lists does.
 */
export function sameValue(got: unknown, expected: unknown): boolean {
  if (typeof got === "number" && typeof expected === "number") return sameNumber(got, expected);
  if (Array.isArray(got) && Array.isArray(expected)) {
    return (
      got.length === expected.length && got.every((item, index) => sameValue(item, expected[index]))
    );
  }
  if (isObject(got) && isObject(expected)) {
    const names = Object.keys(got);
    return (
      names.length === Object.keys(expected).length &&
      names.every((name) => Object.hasOwn(expected, name) && sameValue(got[name], expected[name]))
    );
  }
  return got === expected;
}

function sameNumber(got: number, expected: number): boolean {
  const larger = Math.max(Math.abs(got), Math.abs(expected));
  return Math.abs(got - expected) <= Math.max(ABSOLUTE, RELATIVE * larger);
}
