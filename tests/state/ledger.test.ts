import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  charge,
  inLedgerUnit,
  isAllowed,
  leftOf,
  openLedger,
  reserve,
  spentBy,
} from "../../state/ledger.js";
import { type Ledger, NOTHING_USED } from "../../state/state.js";

const usage = NOTHING_USED;

function ledgerOf(amount: number, changes: Partial<Ledger> = {}): Ledger {
  return { ...openLedger({ amount, unit: "units" }, { enforced: true }), ...changes };
}

describe("a ledger", () => {
  it("reserves parallel calls in order, and still considers cheaper ones after a refused one", () => {
    const calls = [
      { tool: "a", price: 6 },
      { tool: "b", price: 5 },
      { tool: "c", price: 4 },
    ];
    const { allowed, refused } = reserve({ ledger: ledgerOf(10), usage }, calls);
    expect(allowed.map(({ tool }) => tool)).toEqual(["a", "c"]);
    expect(refused.map(({ tool }) => tool)).toEqual(["b"]);
  });

  it("never lets more than its amount be spent, whatever is requested", () => {
    const calls = fc.array(
      fc.record({
        tool: fc.constantFrom("a", "b", "c"),
        price: fc.double({ min: 0, max: 9, noNaN: true }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        fc.array(calls, { maxLength: 8 }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (rounds, amount) => {
          let ledger = ledgerOf(amount);
          for (const round of rounds) {
            const { allowed, refused } = reserve({ ledger, usage }, round);
            ledger = charge(ledger, { executed: allowed, refused });
          }
          expect(ledger.spent).toBeLessThanOrEqual(amount * (1 + 1e-8));
        },
      ),
    );
  });

  it("counts tenths as people do: ten calls of 0.1 fit into 1", () => {
    const calls = Array.from({ length: 11 }, () => ({ tool: "a", price: 0.1 }));
    expect(reserve({ ledger: ledgerOf(1), usage }, calls).allowed).toHaveLength(10);
  });

  it("refuses nothing if it is only told, but still counts", () => {
    const ledger = ledgerOf(5, { enforced: false });
    const calls = [{ tool: "a", price: 9 }];
    const { allowed } = reserve({ ledger, usage }, calls);
    expect(allowed).toEqual(calls);
    const charged = charge(ledger, { executed: allowed, refused: [] });
    expect(charged.spent).toBe(9);
    expect(leftOf({ ledger: charged, usage })).toBe(0);
  });

  it("in dollars counts the model's tokens and turns units into dollars", () => {
    const ledger = openLedger({ amount: 0.05, unit: "usd" }, { enforced: true });
    const state = { ledger, usage: { ...usage, usd: 0.03 } };
    expect(spentBy(state)).toBeCloseTo(0.03, 12);
    expect(inLedgerUnit(10, ledger)).toBeCloseTo(0.01, 12);
    expect(isAllowed(state, { tool: "a", price: 0.02 })).toBe(true);
    expect(isAllowed(state, { tool: "a", price: 0.021 })).toBe(false);
  });
});
