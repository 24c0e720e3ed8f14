import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  absolute,
  add,
  divide,
  modulus,
  multiply,
  percentageChange,
  percentageOf,
  subtract,
} from "../../../../tools/catalogs/math/arithmetic.js";

const whole = fc.integer({ min: -1e6, max: 1e6 });
const notZero = whole.filter((value) => value !== 0);

describe("the four operations", () => {
  it("give known results", () => {
    expect(add(2, 3.5)).toBe(5.5);
    expect(subtract(2, 3.5)).toBe(-1.5);
    expect(multiply(45342, 23487)).toBe(1064947554);
    expect(divide(1, 8)).toBe(0.125);
  });

  it("undo one another on whole numbers", () => {
    fc.assert(
      fc.property(whole, notZero, (a, b) => {
        expect(subtract(add(a, b), b) - a).toBe(0);
        expect(divide(multiply(a, b), b) - a).toBe(0);
      }),
    );
  });

  it("refuse to divide by zero", () => {
    expect(() => divide(1, 0)).toThrow("b must not be 0");
    expect(() => modulus(1, 0)).toThrow("b must not be 0");
  });

  it("say when a result is too large instead of returning infinity", () => {
    expect(() => add(Number.MAX_VALUE, Number.MAX_VALUE)).toThrow("the result is too large");
    expect(() => multiply(1e200, 1e200)).toThrow("the result is too large");
    expect(() => divide(1, Number.MIN_VALUE)).toThrow("the result is too large");
  });

  it("never return a negative zero", () => {
    expect(multiply(-1, 0)).toBe(0);
    expect(divide(0, -5)).toBe(0);
    expect(modulus(-4, 2)).toBe(0);
  });
});

describe("modulus", () => {
  it.each([
    { a: 17, b: 5, expected: 2 },
    { a: -7, b: 3, expected: 2 },
    { a: 7, b: -3, expected: -2 },
    { a: -7, b: -3, expected: -1 },
    { a: 5.5, b: 2, expected: 1.5 },
  ])("leaves $expected of $a divided by $b", ({ a, b, expected }) => {
    expect(modulus(a, b)).toBe(expected);
  });

  it("completes the floored quotient to the dividend", () => {
    fc.assert(
      fc.property(whole, notZero, (a, b) => {
        expect(Math.floor(a / b) * b + modulus(a, b) - a).toBe(0);
      }),
    );
  });
});

describe("absolute", () => {
  it("drops the sign and nothing else", () => {
    expect([absolute(-3.5), absolute(3.5), absolute(-0)]).toEqual([3.5, 3.5, 0]);
  });
});

describe("percentages", () => {
  it("take a share of a number", () => {
    expect(percentageOf(15, 80)).toBe(12);
    expect(percentageOf(105, 10)).toBe(10.5);
    expect(percentageOf(-10, 50)).toBe(-5);
  });

  it("tell the change from an old to a new value", () => {
    expect(percentageChange(50, 60)).toBe(20);
    expect(percentageChange(60, 30)).toBe(-50);
    expect(percentageChange(-50, -25)).toBe(50);
  });

  it("refuse a change from zero", () => {
    expect(() => percentageChange(0, 1)).toThrow("old_value must not be 0");
  });
});
