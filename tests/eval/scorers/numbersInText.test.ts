import { describe, expect, it } from "vitest";
import { isWanted, numberOf, numbersIn } from "../../../eval/scorers/numbersInText.js";

describe("numbers in a text", () => {
  it.each([
    ["The area is 40.", [40]],
    ["1,256.64 and 12,345,678", [1256.64, 12_345_678]],
    ["$2,433.31", [2433.31]],
    ["-3.5, −4 and (+5)", [-3.5, -4, 5]],
    ["from 3-5 m", [3, 5]],
    [
      "1.2e6, 1.2E+06, 1.2 × 10^6, 1.2 \\times 10^{6} and 1.2·10⁶",
      [1.2e6, 1.2e6, 1.2e6, 1.2e6, 1.2e6],
    ],
    ["1.5 × 10^-3", [0.0015]],
    ["3/4 or \\frac{3}{4}", [0.75, 0.75]],
    ["5 % or 5\\% or 5 percent", [5, 0.05, 5, 0.05, 5, 0.05]],
    ["[1,2,3]", [1, 2, 3]],
    [".5 and 0.50", [0.5, 0.5]],
    ["**40** and _41_", [40, 41]],
    ["1{,}256 and 1\\,256", [1256, 1256]],
    ["x2, M004 and area_7", []],
    ["16 m² and 16 m^2", [16, 16]],
    ["the 7th of 12", [12]],
    ["1/0", []],
    ["no number", []],
  ])("%j names %j", (text, numbers) => {
    expect(numbersIn(text)).toStrictEqual(numbers);
  });
});

describe("a key that is a text", () => {
  it.each([
    ["3,628,855", 3_628_855],
    ["245,678.53", 245_678.53],
    ["$40", 40],
    ["false", undefined],
    ["first makes more", undefined],
    ["1, 2", undefined],
    ["1,2", undefined],
  ])("%j stands for the number %j", (text, number) => {
    expect(numberOf(text)).toBe(number);
  });
});

describe("the wanted number", () => {
  it.each([
    { number: 40, key: 40 },
    { number: 39.85, key: 40 },
    { number: 56.3, key: 56.27 },
    { number: 39.27, key: 39 },
    { number: 21.213, key: 21 },
    { number: 3.2016, key: 3.2 },
    { number: 1.005, key: 1.01 },
    { number: 0.0512, key: 0.05 },
    { number: 1e-17, key: 0 },
    { number: -3, key: -3 },
  ])("may be $number for a key of $key", (pair) => {
    expect(isWanted(pair)).toBe(true);
  });

  it.each([
    { number: 140, key: 40 },
    { number: 5.75, key: 6 },
    { number: 6.4, key: 6 },
    { number: 2433.31, key: 433.31 },
    { number: 3, key: -3 },
    { number: 0.3, key: 0 },
    { number: 0.0551, key: 0.05 },
  ])("is not $number for a key of $key", (pair) => {
    expect(isWanted(pair)).toBe(false);
  });
});
