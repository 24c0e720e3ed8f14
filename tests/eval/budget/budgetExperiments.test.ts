import { describe, expect, it } from "vitest";
import { reportExperiments } from "../../../eval/budget/budgetExperiments.js";
import { COMPARED } from "../../../eval/budget/strategies.js";
import { variantsOf } from "../../../eval/runs/experiment.js";
import { parseContext } from "../../../state/context.js";

const EXPERIMENTS = reportExperiments({ queries: 600, sweepQueries: 100, seed: 1 });

describe("the experiments of the report on budgets", () => {
  it("run thirteen graphs on all requests, and what the sweeps need besides", () => {
    const sizes = EXPERIMENTS.map(({ name, options }) => {
      const { graphs, grid, selection } = options;
      return [name, graphs.length, variantsOf(grid).length, selection.limit];
    });
    expect(sizes).toEqual([
      ["main", 13, 1, 600],
      ["budgets", 10, 5, 100],
      ["thresholds", 7, 5, 100],
    ]);
    expect(new Set(COMPARED.map(({ graph }) => graph)).size).toBe(13);
  });

  it("sweep no graph that ignores budgets, and thresholds only where tools are granted calls", () => {
    const [, budgets, thresholds] = EXPERIMENTS.map(({ options }) => options.graphs);
    expect(budgets).not.toContain("dfsdt");
    expect(budgets).toContain("dfsdt_prompt");
    expect(thresholds).not.toContain("dfsdt_prompt");
    expect(thresholds).toContain("react_replan");
  });

  it("have settings that a run accepts, with a name of its own for each point of the sweeps", () => {
    const names = EXPERIMENTS.flatMap(({ options }) =>
      variantsOf(options.grid).map(({ name, settings }) => {
        const { budget, topK } = parseContext({ ...options.settings, ...settings });
        expect({ budget, topK }).toEqual({ budget: expect.any(Number), topK: 20 });
        return name;
      }),
    );
    // They share a home, in which these names identify runs.
    expect(new Set(names).size).toBe(11);
  });

  it("use the wanted embedding model", () => {
    const [main] = reportExperiments({ queries: 1, sweepQueries: 1, seed: 1, embeddings: "a:b" });
    expect(main?.options.settings).toMatchObject({ embeddings: "a:b", budget: 20 });
  });
});
