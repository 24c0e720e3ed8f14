import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ceilNumber, floorNumber, roundNumber } from "../../../../tools/catalogs/math/rounding.js";

describe("round_number", () => {
  it.each([
    { number: 2.34567, digits: 2, expected: 2.35 },
    { number: 1.005, digits: 2, expected: 1.01 },
    { number: 2.5, digits: 0, expected: 3 },
    { number: -2.5, digits: 0, expected: -3 },
    { number: 1250, digits: -2, expected: 1300 },
    { number: 49, digits: -2, expected: 0 },
    { number: 1.5e-7, digits: 7, expected: 2e-7 },
    { number: 1e300, digits: 15, expected: 1e300 },
    { number: 0.49999999999999994, digits: 0, expected: 0 },
  ])("rounds $number to $digits digits as $expected", ({ number, digits, expected }) => {
    expect(roundNumber(number, digits)).toBe(expected);
  });

  it("rounds to a whole number when no digits are given", () => {
    expect(roundNumber(7.6)).toBe(8);
  });

  it("refuses digits that are out of range or not whole", () => {
    expect(() => roundNumber(1, 16)).toThrow(
      "digits must be a whole number from -15 to 15; got 16",
    );
    expect(() => roundNumber(1, 0.5)).toThrow("got 0.5");
  });

  it("is odd, idempotent and off by at most half a unit", () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(number, fc.integer({ min: -3, max: 6 }), (value, digits) => {
        const rounded = roundNumber(value, digits);
        expect(roundNumber(rounded, digits)).toBe(rounded);
        expect(roundNumber(-value, digits) + rounded).toBe(0);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9);
      }),
    );
  });
});

describe("floor_number and ceil_number", () => {
  it("round towards negative and positive infinity", () => {
    expect([floorNumber(2.5), floorNumber(-2.5)]).toEqual([2, -3]);
    expect([ceilNumber(2.1), ceilNumber(-2.5), ceilNumber(-0.5)]).toEqual([3, -2, 0]);
  });

  it("enclose every number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(floorNumber(value)).toBeLessThanOrEqual(value);
        expect(ceilNumber(value)).toBeGreaterThanOrEqual(value);
      }),
    );
  });
});
