import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../eval/statistics/random.js";

function take(seed: number, count: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
}

describe("a seeded generator", () => {
  it("gives the same numbers for the same seed, and different ones for another", () => {
    expect(take(7, 5)).toStrictEqual(take(7, 5));
    expect(take(7, 5)).not.toStrictEqual(take(8, 5));
  });

  it("spreads its numbers evenly over [0, 1)", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const value of take(1, 100_000)) {
      const tenth = Math.floor(value * 10);
      tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1;
    }
    // Five standard deviations of a count of 10,000 among 100,000.
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 95);
  });
});
