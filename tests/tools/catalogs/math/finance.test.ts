import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compoundInterest,
  compoundInterestEarned,
  simpleInterest,
} from "../../../../tools/catalogs/math/finance.js";

const principal = fc.double({ min: 0, max: 1e6, noNaN: true });
const rate = fc.double({ min: 0, max: 0.3, noNaN: true });
const times = fc.integer({ min: 1, max: 365 });
const years = fc.integer({ min: 0, max: 40 });

describe("simple_interest", () => {
  it("is the interest alone", () => {
    expect(simpleInterest(5000, 0.05, 3)).toBe(750);
    expect(simpleInterest(1000, 0.04, 0.5)).toBe(20);
  });

  it("allows negative rates and refuses negative amounts and times", () => {
    expect(simpleInterest(1000, -0.01, 1)).toBe(-10);
    expect(() => simpleInterest(-1, 0.05, 3)).toThrow("principal must be 0 or more; got -1");
    expect(() => simpleInterest(1, 0.05, -3)).toThrow("years must be 0 or more; got -3");
  });
});

describe("compound_interest", () => {
  it("is the principal together with the interest", () => {
    expect(compoundInterest(2000, 0.04, 1, 5)).toBeCloseTo(2433.31, 2);
    expect(compoundInterest(1000, 0.1, 1, 1)).toBe(1100);
    expect(compoundInterest(1500, 0.043, 4, 6)).toBeCloseTo(1938.84, 2);
  });

  it("approaches continuous growth when interest is added ever more often", () => {
    expect(compoundInterest(1, 1, 1_000_000, 1)).toBeCloseTo(Math.E, 5);
  });

  it("is never below what simple interest gives over whole years", () => {
    fc.assert(
      fc.property(principal, rate, times, years, (amount, share, often, time) => {
        const simple = amount + simpleInterest(amount, share, time);
        expect(compoundInterest(amount, share, often, time)).toBeGreaterThanOrEqual(
          simple * (1 - 1e-10),
        );
      }),
    );
  });

  it("refuses parts of a compounding and rates that take more than everything", () => {
    expect(() => compoundInterest(1, 0.05, 0, 1)).toThrow(/^times_compounded .* got 0$/u);
    expect(() => compoundInterest(1, 0.05, 1.5, 1)).toThrow("got 1.5");
    expect(() => compoundInterest(1, -3, 2, 1)).toThrow(/^rate .* got -3$/u);
    expect(() => compoundInterest(1, 9, 1, 1e6)).toThrow("the result is too large");
  });
});

describe("compound_interest_earned", () => {
  it("is the interest alone", () => {
    expect(compoundInterestEarned(2000, 0.04, 1, 5)).toBeCloseTo(433.31, 2);
    expect(compoundInterestEarned(1000, 0.1, 1, 1)).toBe(100);
  });

  it("completes the principal to the accumulated amount", () => {
    fc.assert(
      fc.property(principal, rate, times, years, (amount, share, often, time) => {
        const earned = compoundInterestEarned(amount, share, often, time);
        const total = compoundInterest(amount, share, often, time);
        expect(Math.abs(amount + earned - total)).toBeLessThanOrEqual(total * 1e-15);
      }),
    );
  });
});
