import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Allowance, type Candidate, solveKnapsack } from "../../../state/budget/knapsack.js";
import { bruteForceValue, expandedKnapsack } from "./expandedKnapsack.js";

/** The candidates of a problem, named by their place. */
function named(candidates: Omit<Candidate, "tool">[]): Candidate[] {
  return candidates.map((candidate, at) => ({ tool: `tool_${at}`, ...candidate }));
}

/** Few different values and prices, so that ties are common. */
const wholeProblem = fc.record({
  candidates: fc
    .array(
      fc.record({ value: fc.nat(6), bound: fc.nat(4), price: fc.integer({ min: 0, max: 8 }) }),
      { maxLength: 6 },
    )
    .map(named),
  budget: fc.nat(30),
});

const realProblem = fc.record({
  candidates: fc
    .array(
      fc.record({
        value: fc.double({ min: 0, max: 1, noNaN: true }),
        bound: fc.nat(3),
        price: fc.double({ min: 0.01, max: 10, noNaN: true }),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map(named),
  budget: fc.double({ min: 0.5, max: 20, noNaN: true }),
});

function quotasOf(allowance: Allowance): number[] {
  return allowance.tools.map(({ quota }) => quota);
}

describe("an allowance with whole prices", () => {
  it("is worth as much as the best of all possible allowances", () => {
    fc.assert(
      fc.property(wholeProblem, (problem) => {
        expect(solveKnapsack(problem).value).toBe(bruteForceValue(problem));
      }),
      { numRuns: 4000 },
    );
  });

  it("has the quotas of the published procedure over single items, ties included", () => {
    fc.assert(
      fc.property(wholeProblem, (problem) => {
        expect(quotasOf(solveKnapsack(problem))).toEqual(expandedKnapsack(problem).quotas);
      }),
      { numRuns: 4000 },
    );
  });

  it("breaks ties in the same way where values are decimals, whose sums floats cannot hold", () => {
    fc.assert(
      fc.property(wholeProblem, fc.constantFrom(0.1, 0.01, 0.001, 0.07), (problem, unit) => {
        const { candidates, budget } = problem;
        const decimal = candidates.map((one) => ({ ...one, value: one.value * unit }));
        const allowance = solveKnapsack({ candidates: decimal, budget });
        expect(quotasOf(allowance)).toEqual(expandedKnapsack(problem).quotas);
      }),
      { numRuns: 2000 },
    );
  });

  it("is the same for large bounds and budgets as over single items", () => {
    const large = fc.record({
      candidates: fc
        .array(
          fc.record({
            value: fc.nat(50),
            bound: fc.nat(30),
            price: fc.integer({ min: 1, max: 40 }),
          }),
          { minLength: 3, maxLength: 8 },
        )
        .map(named),
      budget: fc.nat(400),
    });
    fc.assert(
      fc.property(large, (problem) => {
        expect(quotasOf(solveKnapsack(problem))).toEqual(expandedKnapsack(problem).quotas);
      }),
      { numRuns: 200 },
    );
  });

  it("prefers the cheaper of two that are worth the same", () => {
    const candidates = named([
      { value: 0.5, bound: 1, price: 3 },
      { value: 0.5, bound: 1, price: 2 },
    ]);
    expect(quotasOf(solveKnapsack({ candidates, budget: 4 }))).toEqual([0, 1]);
  });

  it("prefers the earlier of candidates that are alike", () => {
    const alike = { value: 0.5, bound: 2, price: 2 };
    const candidates = named([alike, alike, alike]);
    expect(quotasOf(solveKnapsack({ candidates, budget: 6 }))).toEqual([2, 1, 0]);
  });

  it("lets no rounding of sums decide a tie", () => {
    const candidates = named([
      { value: 0.3, bound: 1, price: 2 },
      { value: 0.1, bound: 1, price: 1 },
      { value: 0.2, bound: 1, price: 1 },
    ]);
    expect(0.1 + 0.2).toBeGreaterThan(0.3);
    expect(quotasOf(solveKnapsack({ candidates, budget: 2 }))).toEqual([1, 0, 0]);
  });
});

describe("the recurrence as printed in the paper", () => {
  const problem = { candidates: named([{ value: 1, bound: 1, price: 5 }]), budget: 20 };

  it("reads the row that it writes and so buys one tool four times where the bound is once", () => {
    expect(expandedKnapsack({ ...problem, sameRow: true }).value).toBe(4);
    expect(bruteForceValue(problem)).toBe(1);
  });

  it("is mended by reading the row before", () => {
    expect(solveKnapsack(problem)).toMatchObject({ value: 1, cost: 5, tools: [{ quota: 1 }] });
  });
});

describe("an allowance with real prices", () => {
  it("costs no more than the budget and keeps to the bounds", () => {
    fc.assert(
      fc.property(realProblem, (problem) => {
        const allowance = solveKnapsack(problem);
        const cost = allowance.tools.reduce((sum, { price, quota }) => sum + price * quota, 0);
        expect(allowance.cost).toBeLessThanOrEqual(problem.budget);
        expect(allowance.cost).toBeCloseTo(cost, 9);
        expect(allowance.tools.every(({ quota, bound }) => quota >= 0 && quota <= bound)).toBe(
          true,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("hides a thousandth of the budget at most", () => {
    fc.assert(
      fc.property(realProblem, ({ candidates, budget }) => {
        const least = bruteForceValue({ candidates, budget: budget * 0.999 });
        expect(solveKnapsack({ candidates, budget }).value).toBeGreaterThanOrEqual(least - 1e-9);
      }),
      { numRuns: 1000 },
    );
  });

  it("is exact if the prices are decimals", () => {
    fc.assert(
      fc.property(wholeProblem, fc.constantFrom(10, 100, 1000), (problem, parts) => {
        const candidates = problem.candidates.map((one) => ({ ...one, price: one.price / parts }));
        const allowance = solveKnapsack({ candidates, budget: problem.budget / parts });
        expect(quotasOf(allowance)).toEqual(expandedKnapsack(problem).quotas);
      }),
      { numRuns: 1000 },
    );
  });

  it("spends a budget of 0.3 on calls for 0.1 and 0.2, whose sum as floats is more", () => {
    const candidates = named([
      { value: 0.4, bound: 1, price: 0.1 },
      { value: 0.6, bound: 1, price: 0.2 },
    ]);
    const allowance = solveKnapsack({ candidates, budget: 0.3 });
    expect(quotasOf(allowance)).toEqual([1, 1]);
    expect(allowance.cost).toBe(0.3);
  });
});

describe("an allowance with too large a table", () => {
  const candidates = named(
    Array.from({ length: 100 }, (_, at) => ({
      value: ((at * 37) % 100) / 100,
      bound: 5,
      price: 10_000 + ((at * 7919) % 90_000),
    })),
  );

  it("is made with rounded prices, within the budget", () => {
    const allowance = solveKnapsack({ candidates, budget: 1_000_003 });
    expect(allowance.cost).toBeLessThanOrEqual(1_000_003);
    expect(allowance.cost).toBeGreaterThan(900_000);
  });
});

describe("a tool", () => {
  it("that is free is granted up to its bound, even without a budget", () => {
    const candidates = named([
      { value: 0.2, bound: 7, price: 0 },
      { value: 0.9, bound: 3, price: 1 },
    ]);
    expect(quotasOf(solveKnapsack({ candidates, budget: 0 }))).toEqual([7, 0]);
    expect(quotasOf(solveKnapsack({ candidates, budget: 2 }))).toEqual([7, 2]);
  });

  it("that is worth nothing, has a bound of 0, or costs more than the budget gets no call", () => {
    const candidates = named([
      { value: 0, bound: 5, price: 1 },
      { value: 0, bound: 5, price: 0 },
      { value: 1, bound: 0, price: 1 },
      { value: 1, bound: 5, price: 21 },
    ]);
    const allowance = solveKnapsack({ candidates, budget: 20 });
    expect(quotasOf(allowance)).toEqual([0, 0, 0, 0]);
    expect(allowance).toMatchObject({ cost: 0, value: 0 });
  });

  it("keeps its place, value, bound and price", () => {
    const candidates = named([
      { value: 0.25, bound: 2, price: 3 },
      { value: 0.5, bound: 1, price: 4 },
    ]);
    const allowance = solveKnapsack({ candidates, budget: 7 });
    expect(allowance.tools).toEqual(candidates.map((candidate) => ({ ...candidate, quota: 1 })));
  });
});

it("is empty without candidates", () => {
  expect(solveKnapsack({ candidates: [], budget: 20 })).toEqual({ tools: [], cost: 0, value: 0 });
});
