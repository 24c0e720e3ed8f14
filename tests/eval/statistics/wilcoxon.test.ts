import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FEWEST_DIFFERING, wilcoxonSignedRank } from "../../../eval/statistics/wilcoxon.js";

/** Pairs with these differences. */
function differingBy(...differences: number[]): [number, number][] {
  return differences.map((difference) => [difference, 0]);
}

/** Pairs with the same difference. */
function allBy(difference: number, count: number): [number, number][] {
  return differingBy(...Array.from({ length: count }, () => difference));
}

describe("the Wilcoxon signed-rank test", () => {
  it("sums the ranks of the differences by their sign", () => {
    // Ranks 1 to 5; the negative ones are 2 and 4. Sums up to 6 arise in 13 of 32 ways.
    const test = wilcoxonSignedRank(differingBy(1, -2, 3, -4, 5));
    expect(test).toStrictEqual({ differing: 5, p: 26 / 32 });
  });

  it("drops pairs without a difference and shares the ranks of equal ones", () => {
    // |d| = 1 1 2: mid-ranks 1.5 1.5 3; the negative sum is 1.5. Of 8 ways, 0, 1.5, 1.5 are as low.
    const test = wilcoxonSignedRank([[5, 5], ...differingBy(1, -1, 2)]);
    expect(test).toStrictEqual({ differing: 3, p: 6 / 8 });
  });

  it("has an exact p below 0.05 with six differing pairs and not with five", () => {
    expect(FEWEST_DIFFERING).toBe(6);
    expect(wilcoxonSignedRank(allBy(1, FEWEST_DIFFERING)).p).toBe(2 / 2 ** 6);
    expect(wilcoxonSignedRank(allBy(1, FEWEST_DIFFERING - 1)).p).toBe(2 / 2 ** 5);
  });

  it("gives a p that was worked out by hand and by another program", () => {
    // Differences 15 -7 5 20 0 -9 17 -12 5 -10: ranks 7 3 1.5 9 - 4 8 6 1.5 5, the negative ones 18.
    const first = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135];
    const second = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145];
    const test = wilcoxonSignedRank(first.map((value, at) => [value, second[at] ?? 0]));
    expect(test).toStrictEqual({ differing: 9, p: 0.6328125 });
  });

  it("uses the normal approximation above 25 differing pairs", () => {
    // n = 26, signs alternate but for the last six: worked out from the ranks below.
    const differences = Array.from({ length: 26 }, (_, at) =>
      at < 20 && at % 2 === 1 ? -(at + 1) : at + 1,
    );
    const test = wilcoxonSignedRank(differingBy(...differences));
    // Negative ranks 2 + 4 + … + 20 = 110; expected 175.5; variance 26 · 27 · 53 / 24 = 1550.25.
    expect(test.differing).toBe(26);
    // z = (175.5 - 110 - 0.5) / 39.3732 = 1.65087, two-sided.
    expect(test.p).toBeCloseTo(0.09877, 4);
  });

  it("includes ties in the variance of the normal approximation", () => {
    const test = wilcoxonSignedRank([...allBy(1, 22), ...allBy(-1, 8)]);
    // All ranks 15.5: W = 124, expected 232.5, variance 30 · 15.5² / 4; z = 108 / 42.4485 = 2.54426.
    expect(test.p).toBeCloseTo(0.01095, 4);
  });

  it("ignores differences that are rounding errors of means", () => {
    const test = wilcoxonSignedRank([
      [0.1 + 0.2, 0.3],
      [1 / 3, 0],
      [1, 2 / 3],
    ]);
    expect(test).toStrictEqual({ differing: 2, p: 2 / 4 });
    // All three share the rank 2: 4 of 8 ways are as low, and not 2 as with the ranks 1 to 3.
    const tied = wilcoxonSignedRank([
      [0, 1 / 3],
      [1, 2 / 3],
      [1, 2 / 3],
    ]);
    expect(tied.p).toBe(1);
  });

  it("has p = 1 when nothing differs", () => {
    expect(wilcoxonSignedRank([])).toStrictEqual({ differing: 0, p: 1 });
    expect(wilcoxonSignedRank([[0, 0]])).toStrictEqual({ differing: 0, p: 1 });
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (values) => {
        const same = wilcoxonSignedRank(values.map((value) => [value, value]));
        expect(same).toStrictEqual({ differing: 0, p: 1 });
      }),
    );
  });

  it("has the exact p that trying all signs gives", () => {
    const few = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 9 });
    fc.assert(
      fc.property(few, (differences) => {
        const { p } = wilcoxonSignedRank(differingBy(...differences));
        expect(p).toBeCloseTo(pByTrying(differences), 12);
      }),
    );
  });
});

/** The share of all sign assignments whose smaller rank sum is no larger, by enumeration. */
function pByTrying(differences: number[]): number {
  const sizes = differences.filter((each) => each !== 0).map(Math.abs);
  const ranks = sizes.map((size) => {
    const below = sizes.filter((each) => each < size).length;
    const alike = sizes.filter((each) => each === size).length;
    return below + (alike + 1) / 2;
  });
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const smaller = (sum: number) => Math.min(sum, total - sum);
  const signs = differences.filter((each) => each !== 0).map((each) => each > 0);
  const sumOf = (chosen: (at: number) => boolean) =>
    ranks.reduce((sum, rank, at) => (chosen(at) ? sum + rank : sum), 0);
  const observed = smaller(sumOf((at) => signs[at] ?? false));
  const ways = Array.from({ length: 2 ** ranks.length }, (_, way) =>
    smaller(sumOf((at) => Math.floor(way / 2 ** at) % 2 === 1)),
  );
  return ways.filter((each) => each <= observed).length / ways.length;
}
