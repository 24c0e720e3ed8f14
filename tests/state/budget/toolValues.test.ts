import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EvidenceRow,
  type ToolEvidence,
  type Valuation,
  allowanceOf,
  valuesOf,
} from "../../../state/budget/toolValues.js";
import { InvalidSetting } from "../../../common/errors.js";
import { evidenceOf, valuation } from "./arbitraryEvidence.js";

const CODE: Valuation = { rounding: "code", threshold: 0.15 };
const PAPER: Valuation = { rounding: "paper", threshold: 0.15 };

/** A past request, by default the very same as the present one. */
function row(values: Partial<EvidenceRow>): EvidenceRow {
  return { query: 1, similarity: 1, calls: 1, helpful: 1, ...values };
}

function valued(
  rows: EvidenceRow[],
  how: Valuation,
): { value: number | undefined; bound: number | undefined } {
  const [one] = valuesOf({ evidence: [{ tool: "weather", rows }], ...how });
  return { value: one?.value, bound: one?.bound };
}

describe("a value", () => {
  it("is the share of helpful calls, with a prior of one call worth 0.1, as in the code", () => {
    const { value } = valued([row({ calls: 4, helpful: 3 })], CODE);
    expect(value).toBeCloseTo((3 + 0.1) / (4 + 1), 12);
  });

  it("is the bare share of helpful calls, as in the paper", () => {
    const { value } = valued([row({ calls: 4, helpful: 3 })], PAPER);
    expect(value).toBeCloseTo(3 / 4, 12);
  });

  it("weighs each past request by the exponential of its similarity", () => {
    const rows = [
      row({ query: 1, similarity: 0.9, calls: 2, helpful: 2 }),
      row({ query: 2, similarity: 0.4, calls: 1, helpful: 0 }),
    ];
    const near = Math.exp(0.9);
    const far = Math.exp(0.4);
    expect(valued(rows, PAPER).value).toBeCloseTo((2 * near) / (2 * near + far), 12);
    const constant = Math.exp(1);
    const expected = (2 * near + 0.1 * constant) / (2 * near + far + constant);
    expect(valued(rows, CODE).value).toBeCloseTo(expected, 12);
  });

  it("lies between 0 and 1, with a bound that is a whole number from 0, for any evidence", () => {
    fc.assert(
      fc.property(evidenceOf(), valuation, (evidence, how) => {
        for (const { value, bound } of valuesOf({ evidence, ...how })) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(Number.isSafeInteger(bound) && bound >= 0).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a tool without rows", () => {
  it("has the prior's value, and one call though that lies below the threshold, as in the code", () => {
    expect(valued([], CODE)).toEqual({ value: 0.1, bound: 1 });
  });

  it("has the prior's value and is cut by the threshold, as in the paper", () => {
    expect(valued([], PAPER)).toEqual({ value: 0.1, bound: 0 });
    expect(valued([], { ...PAPER, threshold: 0.1 })).toEqual({ value: 0.1, bound: 1 });
  });
});

describe("a bound", () => {
  it("is 0 below the threshold and not at it", () => {
    const rows = [row({ calls: 4, helpful: 1 })];
    for (const how of [CODE, PAPER]) {
      const { value = 0 } = valued(rows, how);
      expect(valued(rows, { ...how, threshold: value }).bound).toBeGreaterThan(0);
      expect(valued(rows, { ...how, threshold: value + 1e-9 }).bound).toBe(0);
    }
  });

  it.each([
    { calls: [1, 2], code: 2, paper: 1 },
    { calls: [2, 3], code: 2, paper: 2 },
    { calls: [3, 4], code: 4, paper: 3 },
    { calls: [1, 1, 3], code: 2, paper: 1 },
    { calls: [1, 1, 1, 2], code: 1, paper: 1 },
    { calls: [3, 3, 3, 3, 3, 3, 3], code: 3, paper: 3 },
  ])(
    "for $calls calls is $code to the nearest, halves to even, and $paper rounded down",
    ({ calls, code, paper }) => {
      const rows = calls.map((count, query) =>
        row({ query, similarity: 0.7, calls: count, helpful: count }),
      );
      expect(valued(rows, CODE).bound).toBe(code);
      expect(valued(rows, PAPER).bound).toBe(paper);
    },
  );

  it("counts a past request in which no call helped as one call, in the code alone", () => {
    const rows = [row({ query: 1, calls: 1, helpful: 1 }), row({ query: 2, calls: 5, helpful: 0 })];
    expect(valued(rows, { ...CODE, threshold: 0.1 }).bound).toBe(1);
    expect(valued(rows, { ...PAPER, threshold: 0.1 }).bound).toBe(3);
  });
});

describe("an allowance", () => {
  const evidence: ToolEvidence[] = [
    { tool: "weather", rows: [row({ calls: 2, helpful: 2 })] },
    { tool: "rumours", rows: [row({ calls: 9, helpful: 0 })] },
    { tool: "untried", rows: [] },
  ];

  it("divides the budget by values, bounds and prices", () => {
    const prices = { weather: 3, rumours: 1, untried: 2 };
    const allowance = allowanceOf({ evidence, prices, budget: 7, ...CODE });
    expect(allowance.tools.map(({ tool, quota }) => [tool, quota])).toEqual([
      ["weather", 2],
      ["rumours", 0],
      ["untried", 0],
    ]);
    expect(allowance.cost).toBe(6);
    expect(allowanceOf({ evidence, prices, budget: 8, ...CODE }).cost).toBe(8);
  });

  it("is refused for a tool without a price, with its name", () => {
    const problem = { evidence, prices: { weather: 3, rumours: 1 }, budget: 7, ...CODE };
    expect(() => allowanceOf(problem)).toThrow(InvalidSetting);
    expect(() => allowanceOf(problem)).toThrow('price of tool "untried": is missing');
  });
});
