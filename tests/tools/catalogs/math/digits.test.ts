import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  digitalRoot,
  isArmstrongNumber,
  isPalindrome,
  sumOfDigits,
} from "../../../../tools/catalogs/math/digits.js";

describe("sum_of_digits", () => {
  it("adds up the decimal digits and ignores the sign", () => {
    expect([0, 60, 123, -123, 2 ** 53 - 1].map(sumOfDigits)).toEqual([0, 6, 6, 6, 76]);
  });

  it("leaves the same remainder by 9 as the number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (number) => {
        expect(sumOfDigits(number) % 9).toBe(number % 9);
      }),
    );
  });

  it("refuses a number with a fraction", () => {
    expect(() => sumOfDigits(78.54)).toThrow("number must be a whole number");
  });
});

describe("digital_root", () => {
  it("is what repeated sums of digits end at", () => {
    expect([0, 9, 10, 40, 98765, -98765, 362880].map(digitalRoot)).toEqual([0, 9, 1, 4, 8, 8, 9]);
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        let root = number;
        do root = sumOfDigits(root);
        while (root > 9);
        expect(digitalRoot(number)).toBe(root);
      }),
    );
  });
});

describe("is_palindrome", () => {
  it("compares the digits with their reverse", () => {
    expect([0, 7, 11, 12321, 1221].every(isPalindrome)).toBe(true);
    expect([10, 123, 1222].some(isPalindrome)).toBe(false);
  });

  it("finds every number that is written next to its mirror image", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (number) => {
        const mirrored = Array.from(String(number)).toReversed().join("");
        expect(isPalindrome(Number(`${number}${mirrored}`))).toBe(true);
      }),
    );
  });

  it("takes no negative number for a palindrome", () => {
    expect(isPalindrome(-121)).toBe(false);
  });
});

describe("is_armstrong_number", () => {
  it("finds exactly the known ones below 10000", () => {
    const found = Array.from({ length: 10_000 }, (_, number) => number).filter(isArmstrongNumber);
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 153, 370, 371, 407, 1634, 8208, 9474]);
  });

  it("knows large ones and no negative ones", () => {
    expect([9_926_315, 4_338_281_769_391_370].every(isArmstrongNumber)).toBe(true);
    expect([-153, 2 ** 53 - 1].some(isArmstrongNumber)).toBe(false);
  });
});
