import type { GraphId } from "../../graphs/index.js";
import { judgeAt } from "../scorers/budget.js";
import { type Estimate, estimateOf, openBootstrap } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import { type PairedOutcome, pairedTest } from "../statistics/wilcoxon.js";
import {
  MAIN_BUDGET,
  MAIN_THRESHOLD,
  SWEPT_BUDGETS,
  SWEPT_THRESHOLDS,
} from "./budgetExperiments.js";
import { type Condition, type ReportRun, runsOf } from "./runs.js";
import { COMPARED, comparedPairs, keepsBudget } from "./strategies.js";

/** Figures of one graph under one budget and one threshold (BTP: PR, PBC, RFBC, AC, #Use). */
export interface ConditionFigures extends Condition {
  /** Requests with a result. */
  requests: number;
  passed: Estimate;
  passedWithinBudget: Estimate;
  overBudget: Estimate;
  /** Units a request. */
  cost: Estimate;
  /** Executed calls a request. */
  uses: Estimate;
}

/** What was granted and what was used (table 4 of BTP). */
export interface AllowanceFigures {
  graph: GraphId;
  requests: number;
  grantedCost: Estimate;
  cost: Estimate;
  grantedCalls: Estimate;
  uses: Estimate;
}

/** The best result for anybody who knows the world, averaged over requests. */
export interface OracleFigures {
  budget: number;
  requests: number;
  passedWithinBudget: number;
  cost: number;
  uses: number;
}

/** Wilcoxon signed-rank test of PBC between a graph and the one that ignores budgets. */
interface BudgetTest extends PairedOutcome {
  graph: GraphId;
  against: GraphId;
}

/** All that the report shows. */
export interface BudgetFigures {
  /** Of the main comparison. */
  budget: number;
  threshold: number;
  main: ConditionFigures[];
  oracle: OracleFigures;
  allowances: AllowanceFigures[];
  tests: BudgetTest[];
  /** Every graph under each budget, at the usual threshold. */
  budgets: ConditionFigures[];
  oracleByBudget: OracleFigures[];
  /** Every graph with allowances at each threshold, under the usual budget. */
  thresholds: ConditionFigures[];
  /** Runs that exceeded their budget although their graph enforces it. */
  overspent: string[];
  /** Runs that broke off; they count as failed. */
  brokenOff: string[];
}

/** The expected outcome of the best calls for a request. */
type Oracle = (task: string, budget: number) => { success: number; cost: number; calls: number };

/**
 * Computes the figures of the report.
 *
 * @param options.sweepTasks ids of the requests of the sweeps
 */
export function budgetFigures(options: {
  runs: readonly ReportRun[];
  tasks: readonly string[];
  sweepTasks: readonly string[];
  oracle: Oracle;
}): BudgetFigures {
  const { runs, tasks, sweepTasks, oracle } = options;
  const usual = { budget: MAIN_BUDGET, threshold: MAIN_THRESHOLD };
  const graphs = COMPARED.map(({ graph }) => graph);
  const granting = graphs.filter(keepsBudget);
  const figuresOver = (ids: readonly string[]) => {
    const among = new Set(ids);
    return (condition: Condition) =>
      conditionFigures(condition, [...runsOf({ runs, condition, tasks: among }).values()]);
  };
  const overSweep = figuresOver(sweepTasks);
  return {
    ...usual,
    main: graphs.map((graph) => ({ graph, ...usual })).map(figuresOver(tasks)),
    oracle: oracleFigures({ tasks, budget: MAIN_BUDGET, oracle }),
    allowances: granting.map((graph) =>
      allowanceFigures({ runs, condition: { graph, ...usual }, tasks }),
    ),
    tests: comparedPairs().map((pair) => budgetTest({ runs, tasks, pair, usual })),
    budgets: graphs.flatMap((graph) =>
      SWEPT_BUDGETS.map((budget) => overSweep({ ...usual, graph, budget })),
    ),
    oracleByBudget: SWEPT_BUDGETS.map((budget) =>
      oracleFigures({ tasks: sweepTasks, budget, oracle }),
    ),
    thresholds: granting.flatMap((graph) =>
      SWEPT_THRESHOLDS.map((threshold) => overSweep({ ...usual, graph, threshold })),
    ),
    overspent: runs.filter(isOverspent).map(({ run }) => run.id),
    brokenOff: runs.filter(({ run }) => run.error !== undefined).map(({ run }) => run.id),
  };
}

function isOverspent(run: ReportRun): boolean {
  return keepsBudget(run.graph) && judgeAt(run, run.budget).overBudget;
}

function conditionFigures(condition: Condition, runs: readonly ReportRun[]): ConditionFigures {
  const verdicts = runs.map((run) => judgeAt(run, condition.budget));
  return {
    ...condition,
    requests: runs.length,
    passed: estimate(verdicts.map(({ passed }) => Number(passed ?? false))),
    passedWithinBudget: estimate(
      verdicts.map(({ passedWithinBudget }) => Number(passedWithinBudget ?? false)),
    ),
    overBudget: estimate(verdicts.map(({ overBudget }) => Number(overBudget))),
    cost: estimate(verdicts.map(({ cost }) => cost)),
    uses: estimate(verdicts.map(({ uses }) => uses)),
  };
}

function allowanceFigures(options: {
  runs: readonly ReportRun[];
  condition: Condition;
  tasks: readonly string[];
}): AllowanceFigures {
  const { runs, condition, tasks } = options;
  const granted = [...runsOf({ runs, condition, tasks: new Set(tasks) }).values()].flatMap(
    (run) => {
      const first = run.run.ledger?.planned;
      return first ? [{ first, verdict: judgeAt(run, condition.budget) }] : [];
    },
  );
  return {
    graph: condition.graph,
    requests: granted.length,
    grantedCost: estimate(granted.map(({ first }) => first.cost)),
    cost: estimate(granted.map(({ verdict }) => verdict.cost)),
    grantedCalls: estimate(granted.map(({ first }) => first.calls)),
    uses: estimate(granted.map(({ verdict }) => verdict.uses)),
  };
}

function oracleFigures(options: {
  tasks: readonly string[];
  budget: number;
  oracle: Oracle;
}): OracleFigures {
  const { tasks, budget, oracle } = options;
  const best = tasks.map((task) => oracle(task, budget));
  return {
    budget,
    requests: tasks.length,
    passedWithinBudget: mean(best.map(({ success }) => success)),
    cost: mean(best.map(({ cost }) => cost)),
    uses: mean(best.map(({ calls }) => calls)),
  };
}

function budgetTest(options: {
  runs: readonly ReportRun[];
  tasks: readonly string[];
  pair: { graph: GraphId; against: GraphId };
  usual: Omit<Condition, "graph">;
}): BudgetTest {
  const { runs, tasks, pair, usual } = options;
  const passes = (graph: GraphId) => {
    const condition = { graph, ...usual };
    const found = runsOf({ runs, condition, tasks: new Set(tasks) });
    return new Map(
      [...found].map(([task, run]) => [
        task,
        Number(judgeAt(run, usual.budget).passedWithinBudget ?? false),
      ]),
    );
  };
  return { ...pair, ...pairedTest(passes(pair.graph), passes(pair.against)) };
}

/** Keeps the draws for the last number of requests, which most figures share. */
const bootstrap = openBootstrap();

function estimate(values: readonly number[]): Estimate {
  return estimateOf(values, bootstrap);
}
