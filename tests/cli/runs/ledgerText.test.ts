import { describe, expect, it } from "vitest";
import { neededText, reportedBudget, spentText } from "../../../cli/runs/printRun.js";
import { type Ledger, NOTHING_USED } from "../../../state/state.js";

const LEDGER: Ledger = {
  unit: "units",
  amount: 20,
  spent: 18,
  enforced: true,
  plan: [],
  quotas: null,
  planned: null,
  refused: [],
};

describe("what is reported of a budget at the end", () => {
  it("is what was spent, and what was granted at first", () => {
    expect(spentText({ ledger: LEDGER, usage: NOTHING_USED })).toBe("18 of 20 units spent");
    const planned = { ...LEDGER, planned: { calls: 1, cost: 4.5 } };
    expect(spentText({ ledger: planned, usage: NOTHING_USED })).toBe(
      "18 of 20 units spent · first granted: 1 call for 4.5 units",
    );
  });

  it("includes the model's tokens if it is in dollars", () => {
    const ledger: Ledger = { ...LEDGER, unit: "usd", amount: 0.05, spent: 0.02 };
    const usage = { ...NOTHING_USED, usd: 0.00125 };
    expect(spentText({ ledger, usage })).toBe("$0.02125 of $0.05 spent");
    expect(reportedBudget({ ledger, usage })).toMatchObject({ unit: "usd", spent: 0.02125 });
  });

  it("is what was refused, each thing once, and the least that would have sufficed", () => {
    const refused = [
      { what: "near", price: 3 },
      { what: "near", price: 3 },
      { what: "far", price: 5.5 },
    ];
    expect(neededText({ ledger: { ...LEDGER, refused }, usage: NOTHING_USED })).toBe(
      "refused because of the budget: near 3 units, far 5.5 units · needed at least 26.5 units",
    );
  });

  it("mentions no need if only the plan refused what the budget could have paid", () => {
    const ledger = { ...LEDGER, spent: 4, refused: [{ what: "near", price: 1 }] };
    expect(neededText({ ledger, usage: NOTHING_USED })).toBe(
      "refused because of the budget: near 1 unit",
    );
  });

  it("is nothing if nothing was refused, or there is no budget", () => {
    expect(neededText({ ledger: LEDGER, usage: NOTHING_USED })).toBeUndefined();
    expect(reportedBudget({ ledger: null, usage: NOTHING_USED })).toBeUndefined();
  });
});
