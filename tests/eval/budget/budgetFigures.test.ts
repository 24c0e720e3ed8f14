import { describe, expect, it } from "vitest";
import { SWEPT_BUDGETS } from "../../../eval/budget/budgetExperiments.js";
import { figuresOf, grantedLedger, reportRun } from "./support.js";

/** The figures of a graph in a list of them. */
function of<Figures extends { graph: string }>(figures: readonly Figures[], graph: string) {
  return figures.filter((each) => each.graph === graph);
}

describe("the main comparison", () => {
  it("has the published figures of each graph over its requests", () => {
    const { main } = figuresOf([
      reportRun({ task: "t1", costs: [10, 5] }),
      reportRun({ task: "t2", costs: [10, 15] }),
    ]);
    expect(of(main, "react")).toMatchObject([
      {
        requests: 2,
        passed: { mean: 1 },
        passedWithinBudget: { mean: 0.5, low: 0, high: 1 },
        overBudget: { mean: 0.5 },
        cost: { mean: 20 },
        uses: { mean: 2 },
      },
    ]);
    expect(main).toHaveLength(13);
  });

  it("leaves out runs under other budgets and thresholds, except of graphs that ignore both", () => {
    const { main } = figuresOf([
      reportRun({ graph: "react_btp", costs: [5], budget: 40 }),
      reportRun({ graph: "react_btp", costs: [7], threshold: 0.4 }),
      reportRun({ graph: "react_btp", costs: [9] }),
      reportRun({ graph: "react", costs: [30], budget: 40 }),
    ]);
    expect(of(main, "react_btp")).toMatchObject([{ requests: 1, cost: { mean: 9 } }]);
    expect(of(main, "react")).toMatchObject([{ requests: 1, overBudget: { mean: 1 } }]);
  });

  it("counts a run that broke off as failed, and names it", () => {
    const broken = reportRun({ run: { error: "out of order", status: "error", answer: "" } });
    const { main, brokenOff } = figuresOf([broken]);
    expect(of(main, "react")).toMatchObject([{ requests: 1, passed: { mean: 0 } }]);
    expect(brokenOff).toEqual([broken.run.id]);
  });

  it("has the oracle's expectations", () => {
    expect(figuresOf([]).oracle).toMatchObject({
      budget: 20,
      requests: 2,
      passedWithinBudget: 0.9,
      cost: 7,
      uses: 2,
    });
  });
});

describe("the sweeps", () => {
  it("judge one run of a graph that ignores budgets under each of them", () => {
    const { budgets } = figuresOf([reportRun({ task: "t1", costs: [10, 12] })]);
    const swept = of(budgets, "react");
    expect(swept.map(({ budget }) => budget)).toEqual([...SWEPT_BUDGETS]);
    expect(swept.map(({ passedWithinBudget }) => passedWithinBudget.mean)).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
    expect(swept.map(({ overBudget }) => overBudget.mean)).toEqual([1, 1, 1, 0, 0, 0]);
    expect(swept.every(({ passed }) => passed.mean === 1)).toBe(true);
  });

  it("take each budget's own runs of all other graphs, over the requests of the sweeps alone", () => {
    const { budgets } = figuresOf([
      reportRun({ graph: "react_prompt", budget: 5, costs: [6] }),
      reportRun({ graph: "react_prompt", budget: 20, costs: [8] }),
      reportRun({ graph: "react_prompt", budget: 20, costs: [50], task: "t2" }),
    ]);
    const at = (budget: number) =>
      of(budgets, "react_prompt").find((figures) => figures.budget === budget);
    expect(at(5)).toMatchObject({ requests: 1, overBudget: { mean: 1 } });
    expect(at(20)).toMatchObject({ requests: 1, cost: { mean: 8 } });
    expect(at(60)).toMatchObject({ requests: 0 });
  });

  it("take each threshold's own runs of the graphs with allowances, and of no others", () => {
    const { thresholds } = figuresOf([
      reportRun({ graph: "react_replan", threshold: 0.3, costs: [3] }),
      reportRun({ graph: "react", threshold: 0.3, costs: [3] }),
    ]);
    const swept = of(thresholds, "react_replan");
    expect(swept.map(({ threshold }) => threshold)).toEqual([0, 0.1, 0.15, 0.2, 0.3, 0.4]);
    expect(swept.find(({ threshold }) => threshold === 0.3)).toMatchObject({ requests: 1 });
    expect(of(thresholds, "react")).toEqual([]);
  });

  it("know the oracle of each budget", () => {
    const { oracleByBudget } = figuresOf([]);
    expect(oracleByBudget.map(({ passedWithinBudget }) => passedWithinBudget)).toEqual([
      0.5, 0.9, 0.9, 0.9, 0.9, 0.9,
    ]);
  });
});

describe("granted against actual use", () => {
  it("is averaged over the runs that were granted calls", () => {
    const ledger = grantedLedger({ calls: 4, cost: 18 });
    const { allowances } = figuresOf([
      reportRun({ graph: "react_btp", task: "t1", costs: [5, 5, 5], run: { ledger } }),
      reportRun({ graph: "react_btp", task: "t2", costs: [2] }),
    ]);
    expect(of(allowances, "react_btp")).toMatchObject([
      {
        requests: 1,
        grantedCost: { mean: 18 },
        cost: { mean: 15 },
        grantedCalls: { mean: 4 },
        uses: { mean: 3 },
      },
    ]);
    expect(of(allowances, "react")).toEqual([]);
  });
});

describe("runs that overspend", () => {
  it("are named if their graph enforces its budget, in the sweeps too, solved or not", () => {
    const overspent = reportRun({ graph: "tot_dfs_btp", budget: 5, costs: [6], passed: false });
    const { overspent: named } = figuresOf([
      overspent,
      reportRun({ graph: "tot_dfs_btp", costs: [20] }),
      reportRun({ graph: "tot_dfs_prompt", costs: [99] }),
      reportRun({ graph: "tot_dfs", costs: [99] }),
    ]);
    expect(named).toEqual([overspent.run.id]);
  });
});

describe("the tests", () => {
  it("compare PBC of each graph that keeps its budget with the one that ignores it", () => {
    const { tests } = figuresOf([
      reportRun({ graph: "dfsdt", task: "t1", costs: [30] }),
      reportRun({ graph: "dfsdt", task: "t2", costs: [5] }),
      reportRun({ graph: "dfsdt_btp", task: "t1", costs: [9] }),
      reportRun({ graph: "dfsdt_btp", task: "t2", costs: [5] }),
    ]);
    expect(tests.map(({ graph, against }) => `${graph} / ${against}`)).toEqual([
      "react_btp / react",
      "react_prompt_btp / react",
      "react_replan / react",
      "dfsdt_btp / dfsdt",
      "dfsdt_prompt_btp / dfsdt",
      "tot_dfs_btp / tot_dfs",
      "tot_dfs_prompt_btp / tot_dfs",
    ]);
    expect(of(tests, "dfsdt_btp")).toEqual([
      {
        graph: "dfsdt_btp",
        against: "dfsdt",
        pairs: 2,
        differing: 1,
        meanDifference: 0.5,
        p: 1,
      },
    ]);
  });
});
