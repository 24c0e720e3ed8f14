import { describe, expect, it } from "vitest";
import { successChance } from "../../../../eval/benchmarks/priced/callResult.js";
import { pricedBenchmark } from "../../../../eval/benchmarks/priced/index.js";
import { makeWorld } from "../../../../eval/benchmarks/priced/pricedWorld.js";
import { SMALL, toolOf } from "./support.js";

const benchmark = pricedBenchmark(SMALL);

describe("the benchmark of budgets", () => {
  it("has 600 tasks of three levels as it ships", () => {
    const { tasks, tools } = pricedBenchmark(makeWorld());
    expect([tasks.length, tools.length]).toEqual([600, 240]);
    expect(new Set(tasks.map(({ level }) => level))).toEqual(
      new Set(["one need", "two needs", "three needs"]),
    );
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(600);
  });

  it("has declared tools with a price that the world answers for", () => {
    for (const { id, cost, source, effects, parameters } of benchmark.tools) {
      expect(cost).toBe(toolOf(id).cost);
      expect(source).toMatchObject({ kind: "declared", world: benchmark.ownWorlds?.[0]?.name });
      expect(effects).toBe("read");
      expect(parameters.required).toEqual(["reference"]);
    }
  });

  it("names for each task a fact for each need, and a right tool where one is on offer", () => {
    for (const [index, { tools, facts, candidates = [] }] of benchmark.tasks.entries()) {
      const request = SMALL.requests[index];
      if (!request) throw new Error("no request");
      expect(facts).toHaveLength(request.needs.length);
      for (const tool of tools) {
        expect(candidates).toContain(tool);
        expect(successChance(toolOf(tool), request)).toBeGreaterThan(0);
      }
    }
  });

  it("has a few tasks that nobody can solve", () => {
    const lacking = benchmark.tasks.filter(({ tools, facts = [] }) => tools.length < facts.length);
    expect(lacking.length).toBeGreaterThan(0);
    expect(lacking.length).toBeLessThan(benchmark.tasks.length / 10);
  });

  it("has another hash when its world is another", () => {
    const other = makeWorld({ ...SMALL.parameters, usefulShare: 0.6 });
    expect(pricedBenchmark(SMALL).hash).toBe(benchmark.hash);
    expect(pricedBenchmark(other).hash).not.toBe(benchmark.hash);
  });
});
