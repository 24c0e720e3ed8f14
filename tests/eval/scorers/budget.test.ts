import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { callOf, scoreOf } from "./support.js";

const FACTS = { facts: ["QX-4711", "ZB-90"] };
const BOTH = "The reading is QX-4711, and the code is ZB-90.";

/** Executed calls with these costs. */
function paid(...costs: number[]): RunRecord["calls"] {
  return costs.map((cost, index) => ({ ...callOf(`tool${index}`), cost }));
}

function ledgerWith(planned: { calls: number; cost: number } | null): RunRecord["ledger"] {
  return {
    unit: "units",
    amount: 20,
    spent: 0,
    enforced: true,
    plan: [],
    quotas: null,
    planned,
    refused: [],
  };
}

describe("whether a run has passed", () => {
  it.each([
    [BOTH, "solved", 1],
    ["qx 4711 and zb 90", "solved", 1],
    ["The reading is QX-4711.", "solved", 0],
    ["The readings are QX-47112 and ZB-90.", "solved", 0],
    ["", "solved", 0],
    [BOTH, "unsolved", 0],
    [BOTH, "budget", 0],
    [BOTH, "limit", 0],
    [BOTH, "error", 0],
  ] as const)("takes %j of a run that ended %s for %d", (answer, status, passed) => {
    expect(scoreOf("passed", { task: FACTS, run: { answer, status } })).toBe(passed);
  });

  it("is unknown for a task without facts", () => {
    expect(scoreOf("passed", {})).toBeUndefined();
    const run = { settings: { budget: 20 } };
    expect(scoreOf("passedWithinBudget", { task: { facts: [] }, run })).toBeUndefined();
  });
});

describe("what calls have cost", () => {
  it("counts failed calls, and neither refused ones nor control tools", () => {
    const calls = [
      ...paid(4, 3),
      { ...callOf("broken", {}, "out of order"), cost: 5 },
      { ...callOf("dear", {}, "over budget"), cost: 0, refused: true },
      { ...callOf("finish"), cost: 1 },
    ];
    expect(scoreOf("toolCost", { run: { calls } })).toBe(12);
    expect(scoreOf("toolUse", { run: { calls } })).toBe(3);
  });

  it("is compared with the budget of the run, which may be a number or a text", () => {
    for (const budget of [20, "20", "20 units"]) {
      const settings = { budget };
      expect(scoreOf("overBudget", { run: { settings, calls: paid(20) } })).toBe(0);
      expect(scoreOf("overBudget", { run: { settings, calls: paid(21) } })).toBe(1);
    }
  });

  it("is over budget whether or not the run was solved", () => {
    const run = { settings: { budget: 20 }, calls: paid(15, 6), answer: BOTH };
    expect(scoreOf("overBudget", { task: FACTS, run })).toBe(1);
    expect(scoreOf("passed", { task: FACTS, run })).toBe(1);
    expect(scoreOf("passedWithinBudget", { task: FACTS, run })).toBe(0);
  });

  it("is not over for a rounding error of its sum", () => {
    const run = { settings: { budget: 0.3 }, calls: paid(0.1, 0.2) };
    expect(scoreOf("overBudget", { run })).toBe(0);
  });

  it.each([undefined, "$0.05"])("is compared with no budget of %s", (budget) => {
    const run = { settings: budget === undefined ? {} : { budget }, calls: paid(30), answer: BOTH };
    for (const id of ["passedWithinBudget", "overBudget"]) {
      expect(scoreOf(id, { task: FACTS, run })).toBeUndefined();
    }
    expect(scoreOf("toolCost", { run })).toBe(30);
  });
});

describe("what was planned", () => {
  it("is what the first plan would have used", () => {
    const run = { ledger: ledgerWith({ calls: 3, cost: 14 }) };
    expect(scoreOf("plannedCalls", { run })).toBe(3);
    expect(scoreOf("plannedCost", { run })).toBe(14);
  });

  it("is unknown for runs that plan nothing", () => {
    expect(scoreOf("plannedCost", {})).toBeUndefined();
    expect(scoreOf("plannedCalls", { run: { ledger: ledgerWith(null) } })).toBeUndefined();
  });
});
