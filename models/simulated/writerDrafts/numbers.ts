import { fenced, type WriterScript } from "./script.js";

const SIGNIFICANT_DIGITS = String.raw`/**
 * Rounds a number to significant digits.
 * @param value The number.
 * @param digits How many digits to keep; a whole number from 1 to 15.
 * @returns the rounded number
 * @example round_significant(123456, 3) => 123000
 * @example round_significant(0.0457, 1) => 0.05
 * @example round_significant(5, 0) => throws
 */
export function round_significant(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 1 || digits > 15) {
    throw new Error("digits has to be a whole number from 1 to 15, not " + digits);
  }
  return Number(value.toPrecision(digits));
}`;

const ROMAN_BY_IMPORT = String.raw`import { toRoman } from "roman-numerals";

/**
 * Writes a whole number as a Roman numeral.
 * @param value A whole number from 1 to 3999.
 * @returns the numeral in capital letters
 * @example to_roman(14) => "XIV"
 * @example to_roman(0) => throws
 */
export function to_roman(value: number): string {
  return toRoman(value);
}`;

const ROMAN = String.raw`/**
 * Writes a whole number as a Roman numeral.
 * @param value A whole number from 1 to 3999.
 * @returns the numeral in capital letters
 * @example to_roman(14) => "XIV"
 * @example to_roman(0) => throws
 */
export function to_roman(value: number): string {
  if (!Number.isInteger(value) || value < 1 || value > 3999) {
    throw new Error("wanted a whole number from 1 to 3999, got " + value);
  }
  const signs: [number, string][] = [
    [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"],
    [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
  ];
  let rest = value;
  let text = "";
  for (const [worth, sign] of signs) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}`;

const MEDIAN_DEVIATION = String.raw`/**
 * Median absolute deviation of numbers.
 * @param values The numbers; at least one.
 * @returns the median of the distances of the numbers from their median
 * @example median_absolute_deviation([1, 2, 3, 4]) => 1
 * @example median_absolute_deviation([1, 1, 2, 2, 4, 6, 9]) => 1
 * @example median_absolute_deviation([]) => throws
 */
export function median_absolute_deviation(values: number[]): number {
  if (values.length === 0) throw new Error("the list is empty");
  const medianOf = (numbers: number[]): number => {
    const sorted = [...numbers].sort();
    const half = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };
  const median = medianOf(values);
  return medianOf(values.map((value) => Math.abs(value - median)));
}`;

/** What the writer replies to requests for tools that compute with numbers. */
export const NUMBERS: readonly WriterScript[] = [
  {
    about: "significant digits",
    wish: { kind: "create", task: "Rounds a number to a given number of significant digits." },
    drafts: [{ reply: fenced(SIGNIFICANT_DIGITS) }],
  },
  {
    about: "Roman numeral",
    wish: { kind: "create", task: "Writes a whole number from 1 to 3999 as a Roman numeral." },
    drafts: [{ reply: fenced(ROMAN_BY_IMPORT), fault: "rules" }, { reply: fenced(ROMAN) }],
  },
  {
    about: "median absolute deviation",
    wish: { kind: "create", task: "Median absolute deviation of a list of numbers." },
    drafts: [{ reply: fenced(MEDIAN_DEVIATION) }],
    flaw: "it sorts numbers as texts, so that 10 comes before 9",
  },
];
