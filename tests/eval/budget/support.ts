import { MAIN_BUDGET, MAIN_THRESHOLD } from "../../../eval/budget/budgetExperiments.js";
import type { ReportRun } from "../../../eval/budget/runs.js";
import { COMPARED } from "../../../eval/budget/strategies.js";
import { type BudgetFigures, budgetFigures } from "../../../eval/budget/budgetFigures.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { callOf, runOf, taskOf } from "../scorers/support.js";

/** A run of the report whose calls have these costs, with or without the fact. */
export function reportRun(
  parts: Partial<Omit<ReportRun, "run" | "task">> & {
    task?: string;
    costs?: number[];
    passed?: boolean;
    run?: Partial<RunRecord>;
  },
): ReportRun {
  const { graph = "react", budget = MAIN_BUDGET, threshold = MAIN_THRESHOLD } = parts;
  const { task = "t1", costs = [], passed = true, run } = parts;
  return {
    graph,
    budget,
    threshold,
    task: taskOf({ id: task, facts: ["QX-4711"] }),
    run: runOf({
      task,
      graph,
      answer: passed ? "It is QX-4711." : "Nobody knows.",
      settings: { budget, valueThreshold: threshold },
      calls: costs.map((cost) => ({ ...callOf("look_up"), cost })),
      ...run,
    }),
  };
}

/** The ledger of a run with this first allowance. */
export function grantedLedger(planned: { calls: number; cost: number }): RunRecord["ledger"] {
  return {
    unit: "units",
    amount: MAIN_BUDGET,
    spent: 0,
    enforced: true,
    plan: [],
    quotas: {},
    planned,
    refused: [],
  };
}

/** Figures of some runs over the requests t1 and t2; the sweeps have only t1. */
export function figuresOf(runs: readonly ReportRun[]): BudgetFigures {
  return budgetFigures({
    runs,
    tasks: ["t1", "t2"],
    sweepTasks: ["t1"],
    oracle: (_task, budget) => ({ success: budget < 10 ? 0.5 : 0.9, cost: 7, calls: 2 }),
  });
}

/** A whole report: each graph solves t1 for 6 units and fails at t2 for 24. */
export function wholeReport(): ReportRun[] {
  return COMPARED.flatMap(({ graph }) => [
    reportRun({ graph, task: "t1", costs: [6] }),
    reportRun({ graph, task: "t2", costs: [12, 12], passed: false }),
  ]);
}
