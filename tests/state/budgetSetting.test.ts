import { assert, constantFrom, double, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../common/errors.js";
import { readBudget } from "../../state/budgetSetting.js";

describe("the budget of a run", () => {
  it("is undefined if none is given", () => {
    expect(readBudget({})).toBeUndefined();
  });

  it.each([20, "20", " 20 ", "20 units", "20units", "20.0", "2e1", "20 UNITS"])(
    "is in units when it is %j",
    (budget) => {
      expect(readBudget({ budget })).toEqual({ amount: 20, unit: "units" });
    },
  );

  it("may be a single unit, or a part of one", () => {
    expect(readBudget({ budget: "1 unit" })).toEqual({ amount: 1, unit: "units" });
    expect(readBudget({ budget: ".5" })).toEqual({ amount: 0.5, unit: "units" });
  });

  it.each(["$0.05", "0.05$", "0.05 usd", "0.05 USD", "$ .05", "$5e-2", " 0.05usd "])(
    "is in dollars when it is %j",
    (budget) => {
      expect(readBudget({ budget })).toEqual({ amount: 0.05, unit: "usd" });
    },
  );

  it("is what was written, for all amounts and both units", () => {
    const amounts = double({ min: 1e-12, max: 1e12, noNaN: true });
    assert(
      property(amounts, constantFrom("units", "usd"), (amount, unit) => {
        const budget = unit === "usd" ? `$${amount}` : `${amount} units`;
        expect(readBudget({ budget })).toEqual({ amount, unit });
      }),
    );
  });

  it.each([
    [0],
    [-3],
    [Number.NaN],
    [Infinity],
    ["0"],
    ["-3"],
    ["$0"],
    ["$-1"],
    ["-$1"],
    ["1e999"],
    ["NaN"],
    [""],
    ["lots"],
    ["$"],
    ["20 euros"],
    ["1,000"],
    ["20\nunits"],
  ])("is refused in one line with examples when it is %j", (budget) => {
    const reading = () => readBudget({ budget });
    expect(reading).toThrow(InvalidSetting);
    expect(reading).toThrow(/^budget: ".*" is not an amount above zero\. Write 20 .*'\$0\.05'.*$/);
  });

  it("is a positive finite amount, or refused, whatever is written", () => {
    const letters = constantFrom("0", "1", "9", ".", "-", "+", "e", "$", " ", "units", "usd", "n");
    assert(
      property(string({ unit: letters, maxLength: 8 }), (budget) => {
        const amount = amountOrRefusal(budget);
        expect(amount > 0 && Number.isFinite(amount)).toBe(true);
      }),
    );
  });
});

/** The amount that is read; 1 for a text that is refused as it should be. */
function amountOrRefusal(budget: string): number {
  try {
    return readBudget({ budget })?.amount ?? 0;
  } catch (error) {
    if (error instanceof InvalidSetting) return 1;
    throw error;
  }
}
