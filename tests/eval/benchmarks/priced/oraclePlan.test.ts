import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oraclePlan } from "../../../../eval/benchmarks/priced/oraclePlan.js";
import type { PricedTool } from "../../../../eval/benchmarks/priced/pricedTools.js";
import { SMALL } from "./support.js";

/** A tool of a tiny world: the need that it serves, its price and its reliability. */
interface TinyTool {
  need: number;
  cost: number;
  reliability: number;
}

/** A policy: nothing more, or a call and what to do after each outcome. */
type Policy = "stop" | { tool: TinyTool; ifGiven: Policy; otherwise: Policy };

function tinyWorld(needs: number, tools: readonly TinyTool[]) {
  const made = tools.map(({ need, cost, reliability }, index): PricedTool => {
    const hidden = { errorShare: 0, latencyMs: 1, usefulTo: new Set(["family"]), theme: "theme" };
    const id = `tool ${index}`;
    return { ...hidden, id, description: "", facet: `need ${need}`, cost, reliability };
  });
  const request = {
    id: "task",
    reference: "AA-1",
    text: "",
    family: "family",
    needs: Array.from({ length: needs }, (_, need) => `need ${need}`),
    candidates: made.map(({ id }) => id),
  };
  return { requests: [request], tools: new Map(made.map((tool) => [tool.id, tool])) };
}

/** Every policy for a budget, sensible or not, including calls for needs that are already served. */
function everyPolicy(budget: number, tools: readonly TinyTool[]): Policy[] {
  const calls = tools
    .filter(({ cost }) => cost <= budget)
    .flatMap((tool) => {
      const after = everyPolicy(budget - tool.cost, tools);
      return after.flatMap((ifGiven) =>
        after.map((otherwise): Policy => ({ tool, ifGiven, otherwise })),
      );
    });
  return ["stop", ...calls];
}

/** Chance of success and mean cost of a policy, by enumerating all outcomes. */
function valueOf(policy: Policy, given: ReadonlySet<number>, needs: number): [number, number] {
  if (policy === "stop") return [given.size === needs ? 1 : 0, 0];
  const { tool, ifGiven, otherwise } = policy;
  const { reliability: chance, need, cost } = tool;
  const [success, spent] = valueOf(ifGiven, new Set([...given, need]), needs);
  const [failure, more] = valueOf(otherwise, given, needs);
  return [chance * success + (1 - chance) * failure, cost + chance * spent + (1 - chance) * more];
}

describe("the oracle", () => {
  it("is as good as the best of all ways to spend a small budget, and as cheap as the cheapest of these", () => {
    const tool = fc.record({
      need: fc.integer({ min: 0, max: 1 }),
      cost: fc.integer({ min: 1, max: 3 }),
      reliability: fc.constantFrom(0, 0.25, 0.5, 0.9, 1),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 }),
        fc.array(tool, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 3 }),
        (needs, tools, budget) => {
          const serving = tools.filter(({ need }) => need < needs);
          const values = everyPolicy(budget, serving).map((each) =>
            valueOf(each, new Set(), needs),
          );
          const success = Math.max(...values.map(([chance]) => chance));
          const best = values.filter(([chance]) => Math.abs(chance - success) < 1e-9);
          const cost = Math.min(...best.map(([, spent]) => spent));
          const world = tinyWorld(needs, serving);
          const plan = oraclePlan({ task: { id: "task" }, world, budget });
          expect(plan.success).toBeCloseTo(success, 9);
          expect(plan.cost).toBeCloseTo(cost, 9);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("prefers two tries of a cheap tool to one of a dear one, where that is likelier", () => {
    const tools = [
      { need: 0, cost: 1, reliability: 0.6 },
      { need: 0, cost: 2, reliability: 0.8 },
    ];
    const plan = oraclePlan({ task: { id: "task" }, world: tinyWorld(1, tools), budget: 2 });
    expect(plan.success).toBeCloseTo(0.84, 9);
    expect(plan.cost).toBeCloseTo(1.4, 9);
    expect(plan.calls).toBeCloseTo(1.4, 9);
  });

  it("expects more of a larger budget, and never spends beyond it", () => {
    for (const task of SMALL.requests) {
      const plans = [0, 5, 10, 20, 40].map((budget) => ({
        budget,
        ...oraclePlan({ task, world: SMALL, budget }),
      }));
      for (const [index, { success, cost, budget }] of plans.entries()) {
        expect(cost).toBeLessThanOrEqual(budget);
        expect(success).toBeGreaterThanOrEqual(plans[index - 1]?.success ?? 0);
      }
    }
  });

  it("spends nothing on a request that no tool on offer can fulfil", () => {
    const world = tinyWorld(2, [{ need: 0, cost: 1, reliability: 1 }]);
    const plan = oraclePlan({ task: { id: "task" }, world, budget: 20 });
    expect(plan).toEqual({ success: 0, cost: 0, calls: 0 });
  });

  it("refuses a task that is none of the world", () => {
    expect(() => oraclePlan({ task: { id: "other" }, world: SMALL, budget: 5 })).toThrow("other");
  });
});
