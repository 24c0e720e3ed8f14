import { describe, expect, it } from "vitest";
import {
  exactResult,
  finiteResult,
  MAX_LIST_LENGTH,
  requireFinite,
  requireNotNegative,
  requireNotZero,
  requireNumbers,
  requirePositive,
  requireWhole,
} from "../../../../tools/catalogs/math/checks.js";

describe("the checks of arguments", () => {
  it.each([NaN, Infinity, -Infinity])("refuse %s as a number", (value) => {
    expect(() => requireFinite({ size: value })).toThrow(
      new TypeError(`size must be a finite number; got ${value}`),
    );
  });

  it("name the one value of several that is wrong", () => {
    expect(() => requireNotNegative({ width: 1, height: -2 })).toThrow(
      new RangeError("height must be 0 or more; got -2"),
    );
    expect(() => requirePositive({ width: 1, height: 0 })).toThrow(
      new RangeError("height must be greater than 0; got 0"),
    );
    expect(() => requireNotZero({ width: 1, height: 0 })).toThrow(
      new RangeError("height must not be 0"),
    );
  });

  it("let the ends of a range of whole numbers through and nothing beyond", () => {
    expect(() => requireWhole({ n: 1, m: 5 }, { min: 1, max: 5 })).not.toThrow();
    expect(() => requireWhole({ n: 6 }, { min: 1, max: 5 })).toThrow(
      new RangeError("n must be a whole number from 1 to 5; got 6"),
    );
    expect(() => requireWhole({ n: 2.5 }, { min: 1, max: 5 })).toThrow("got 2.5");
    expect(() => requireWhole({ n: 2 ** 53 })).toThrow("9007199254740991; got 9007199254740992");
  });

  it("bound the length of lists and look at every number in them", () => {
    expect(() => requireNumbers({ numbers: [] })).toThrow(
      new RangeError(`numbers must hold 1 to ${MAX_LIST_LENGTH} numbers; got 0`),
    );
    const long = Array<number>(MAX_LIST_LENGTH + 1).fill(0);
    expect(() => requireNumbers({ numbers: long })).toThrow(`got ${MAX_LIST_LENGTH + 1}`);
    expect(() => requireNumbers({ numbers: [1, NaN] })).toThrow(
      new TypeError("numbers[1] must be a finite number; got NaN"),
    );
  });

  it("show what came instead of a number, but not at any length", () => {
    const text = "x".repeat(500) as unknown as number;
    expect(() => requireFinite({ size: "7" as unknown as number })).toThrow('got "7"');
    expect(() => requireFinite({ size: text })).toThrow(/^.{1,90}…$/u);
    expect(() => requireNumbers({ sides: 3 as unknown as number[] })).toThrow(
      new TypeError("sides must be a list of numbers; got 3"),
    );
  });
});

describe("the checks of results", () => {
  it("turn a negative zero into zero and refuse infinity", () => {
    expect(finiteResult(-0)).toBe(0);
    expect(finiteResult(-2.5)).toBe(-2.5);
    expect(() => finiteResult(Infinity)).toThrow(RangeError);
  });

  it("let integers up to 2^53 - 1 through and nothing beyond", () => {
    expect(exactResult(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(exactResult(1n - 2n ** 53n)).toBe(Number.MIN_SAFE_INTEGER);
    expect(() => exactResult(2n ** 53n)).toThrow("too large to be exact");
    expect(() => exactResult(-(2n ** 53n))).toThrow("too large to be exact");
  });
});
