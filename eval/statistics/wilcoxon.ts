import { mean, sum } from "./descriptive.js";

interface SignedRank {
  /** Pairs that differ; the others have no rank. */
  differing: number;
  /** Two-sided; 1 if no pair differs. */
  p: number;
}

/** Up to this many differing pairs, the exact distribution is used. */
const MOST_EXACT = 25;

/**
 * With fewer differing pairs the exact two-sided p cannot be below 0.05, whatever the values: if all n
 * differences have the same sign, p = 2 / 2^n, which is 0.0625 for five and 0.03125 for six.
 */
export const FEWEST_DIFFERING = 6;

/** Differences below this share of the largest value are rounding errors of means, not differences. */
export const RESOLUTION = 1e-12;

/**
 * Wilcoxon signed-rank test, two-sided, of whether paired values differ (Wilcoxon, "Individual
 * comparisons by ranking methods", 1945). Pairs without a difference are dropped; equal differences
 * share the mean of their ranks. Up to 25 differing pairs, p is exact: the share of all 2^n ways to
 * put signs on these very ranks, ties included, that are at least as uneven (the shift algorithm of
 * Streitberg and Röhmel, 1986). Above, the normal approximation with the correction for ties and for
 * continuity (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 2014, section 3.1).
 *
 * @param pairs two values of the same task each
 */
export function wilcoxonSignedRank(pairs: readonly (readonly [number, number])[]): SignedRank {
  const differences = differencesOf(pairs);
  const ranks = doubledRanks(differences.map(Math.abs));
  const positive = sum(ranks.filter((_, index) => (differences[index] ?? 0) > 0));
  // The smaller of the two rank sums, of the positive and of the negative differences.
  const doubledW = Math.min(positive, sum(ranks) - positive);
  const pOf = differences.length <= MOST_EXACT ? exactP : normalP;
  return { differing: differences.length, p: pOf(ranks, doubledW) };
}

/** A test over the tasks for which both sides have values. */
export type PairedOutcome = SignedRank & {
  pairs: number;
  /** Mean of the first less that of the second. */
  meanDifference: number;
};

/** Tests whether two sets of values by task differ, over the tasks that both have. */
export function pairedTest(
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
): PairedOutcome {
  const pairs = [...first].flatMap(([task, one]) => {
    const other = second.get(task);
    return other === undefined ? [] : [[one, other] as const];
  });
  const { differing, p } = wilcoxonSignedRank(pairs);
  const meanDifference = mean(pairs.map(([one, other]) => one - other));
  return { pairs: pairs.length, differing, meanDifference, p };
}

/** The nonzero differences, in steps of the resolution, so that equal ones compare as equal. */
function differencesOf(pairs: readonly (readonly [number, number])[]): number[] {
  const largest = pairs.reduce((most, [a, b]) => Math.max(most, Math.abs(a), Math.abs(b)), 0);
  const step = largest * RESOLUTION || 1;
  return pairs.map(([a, b]) => Math.round((a - b) / step)).filter((steps) => steps !== 0);
}

/** Twice the rank of each value in ascending order, so that the mid-ranks of ties are whole numbers. */
function doubledRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (const [index, value] of sorted.entries()) {
    if (!first.has(value)) first.set(value, index + 1);
    last.set(value, index + 1);
  }
  return values.map((value) => (first.get(value) ?? 0) + (last.get(value) ?? 0));
}

function exactP(ranks: readonly number[], doubledW: number): number {
  const ways = waysToSum(ranks);
  const asUneven = sum(ways.slice(0, doubledW + 1));
  return Math.min(1, (2 * asUneven) / 2 ** ranks.length);
}

/** For each sum, the number of ways to choose ranks that add up to it. */
function waysToSum(ranks: readonly number[]): number[] {
  const ways: number[] = Array.from({ length: sum(ranks) + 1 }, () => 0);
  ways[0] = 1;
  for (const rank of ranks) {
    for (let total = ways.length - 1; total >= rank; total -= 1) {
      ways[total] = (ways[total] ?? 0) + (ways[total - rank] ?? 0);
    }
  }
  return ways;
}

/** Under the null hypothesis the variance is a quarter of the sum of squared ranks, with or without ties. */
function normalP(ranks: readonly number[], doubledW: number): number {
  const expected = sum(ranks) / 4;
  const deviation = Math.sqrt(sum(ranks.map((rank) => (rank / 2) ** 2)) / 4);
  const z = Math.max(0, expected - doubledW / 2 - 0.5) / deviation;
  return Math.min(1, complementaryError(z / Math.SQRT2));
}

/** erfc(x) for x from 0, to seven digits (Press et al., "Numerical Recipes in C", 1992, section 6.2). */
function complementaryError(x: number): number {
  const t = 1 / (1 + x / 2);
  const power = ERFC.reduce((value, coefficient) => value * t + coefficient, 0);
  return t * Math.exp(power - x * x);
}

/** Coefficients of the polynomial in the exponent, from the highest power to the lowest. */
const ERFC = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
];
