import type { WrittenNumber } from "./writtenValues.js";

/** What a number can be computed from. */
export interface Figures {
  /** Numbers of results, and their sums. */
  found: readonly number[];
  /** Numbers of the request: results may be multiplied and divided by them. */
  asked: readonly number[];
}

const MOST_FIGURES = 40;

/** Factors between units: metric, of time, of length, of weight, of volume, of speed. */
const FACTORS = [
  3.6, 10, 12, 24, 30.48, 60, 100, 365, 1000, 1440, 3600, 86_400, 1e6, 1e9, 1024, 1_048_576,
  1_073_741_824, 2.54, 1.609344, 1.852, 0.3048, 0.9144, 0.45359237, 28.349523, 3.785411784, 4.184,
  0.514444, 2.236936, 1.943844,
];

/**
 * Whether a number follows from others in one step: a sum, difference, mean, product, quotient, share or change of two, or one
 * in another unit. As written, it must be right to the last digit, and the more numbers there are to choose from, the more
 * digits it needs: any few digits can be reached from many numbers.
 */
export function isDerived(number: WrittenNumber, { found, asked }: Figures): boolean {
  const known = found.slice(0, MOST_FIGURES);
  if (number.significant < digitsNeeded(known.length)) return false;
  const isIt = (value: number) => isRoundedTo(number, Math.abs(value));
  const { isPercent } = number;
  return known.some(
    (one, at) =>
      (!isPercent && inDegrees(one).some(isIt)) ||
      (!isPercent && inOtherUnits(one).some((value) => isIt(value) && isTelling(number, value))) ||
      asked.some((other) => scaledBy(one, other, isPercent).some(isIt)) ||
      known
        .slice(at + 1)
        .some((other) =>
          [...added(one, other, isPercent), ...scaledBy(one, other, isPercent)].some(isIt),
        ),
  );
}

function digitsNeeded(count: number): number {
  return count <= 4 ? 1 : count <= 8 ? 2 : 3;
}

function inOtherUnits(value: number): number[] {
  return FACTORS.flatMap((factor) => [value * factor, value / factor]);
}

function inDegrees(value: number): number[] {
  return [value * 1.8 + 32, (value - 32) / 1.8, value + 273.15, value - 273.15];
}

/** So many factors reach any two rounded digits from somewhere: 57 is 2 ounces in grams. */
function isTelling({ decimals, significant, value }: WrittenNumber, exact: number): boolean {
  return significant >= 3 || decimals > 0 || Math.abs(value - exact) <= 1e-9 * exact;
}

function added(one: number, other: number, isPercent: boolean): number[] {
  return isPercent ? [] : [one + other, one - other, (one + other) / 2];
}

function scaledBy(one: number, other: number, isPercent: boolean): number[] {
  const ratios = [one / other, other / one].filter(Number.isFinite);
  const shares = ratios.flatMap((ratio) => [ratio * 100, (ratio - 1) * 100]);
  const parts = [(one * other) / 100, one * (1 + other / 100), one * (1 - other / 100)];
  return isPercent ? shares : [one * other, ...ratios, ...shares, ...parts];
}

function isRoundedTo({ value, decimals, isRough, significant }: WrittenNumber, exact: number) {
  // "1.2 million" is written without the decimals that it has not got.
  const half = isRough ? exact / 10 ** (significant - 1) / 2 : 10 ** -decimals / 2;
  return Math.abs(value - exact) <= half * (1 + 1e-9) + 1e-9 * exact;
}
