import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_CELLS, priceGrid } from "../../../state/budget/knapsack.js";

const items = (...prices: number[]): { price: number; bound: number }[] =>
  prices.map((price) => ({ price, bound: 3 }));

describe("prices and a budget", () => {
  it("that are whole stay as they are", () => {
    expect(priceGrid({ items: items(3, 4), budget: 20 })).toEqual({ prices: [3, 4], budget: 20 });
  });

  it("are divided by what all prices share", () => {
    const grid = priceGrid({ items: items(300, 400), budget: 1050 });
    expect(grid).toEqual({ prices: [3, 4], budget: 10 });
  });

  it("with decimals become whole without an error", () => {
    const grid = priceGrid({ items: items(0.29, 0.3), budget: 0.59 });
    expect(grid).toEqual({ prices: [29, 30], budget: 59 });
  });

  it("lose the part of a budget that no price can use", () => {
    expect(priceGrid({ items: items(1, 2), budget: 4.999 }).budget).toBe(4);
  });
});

describe("real prices", () => {
  // A multiple of π has too many decimals to be taken for a decimal.
  const bought = fc.array(
    fc.record({
      price: fc.double({ min: 0.1, max: 2, noNaN: true }).map((price) => price * Math.PI),
      bound: fc.integer({ min: 1, max: 4 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  it("fit the cells whenever they leave a thousandth of the budget", () => {
    const slack = fc.double({ min: 0, max: 3, noNaN: true });
    fc.assert(
      fc.property(bought, slack, (tools, unused) => {
        const paid = tools.reduce((sum, { price, bound }) => sum + price * bound, 0);
        const grid = priceGrid({ items: tools, budget: paid * 1.0011 + unused });
        const cells = tools.reduce((sum, { bound }, at) => sum + bound * (grid.prices[at] ?? 0), 0);
        expect(cells).toBeLessThanOrEqual(grid.budget);
      }),
      { numRuns: 600 },
    );
  });

  it("fit the budget whenever their cells fit its cells", () => {
    fc.assert(
      fc.property(bought, (tools) => {
        const budget = 7 + Math.E;
        const grid = priceGrid({ items: tools, budget });
        const counts = tools.map(({ bound, share }) => Math.round(bound * share));
        const cells = grid.prices.reduce((sum, price, at) => sum + price * (counts[at] ?? 0), 0);
        fc.pre(cells <= grid.budget);
        const paid = tools.reduce((sum, { price }, at) => sum + price * (counts[at] ?? 0), 0);
        expect(paid).toBeLessThanOrEqual(budget * (1 + 1e-12));
      }),
      { numRuns: 600 },
    );
  });

  it("never need a larger table than is allowed", () => {
    const many = Array.from({ length: 500 }, (_, at) => ({
      price: Math.PI + at / 7,
      bound: 9,
    }));
    const grid = priceGrid({ items: many, budget: 9000.123 });
    expect(many.length * (grid.budget + 1)).toBeLessThanOrEqual(MOST_CELLS);
    expect(many.length * (grid.budget + 1)).toBeGreaterThan(MOST_CELLS / 2);
  });
});
