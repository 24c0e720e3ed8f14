import type { GraphId } from "../../graphs/index.js";
import { findGraph } from "../../graphs/openGraph.js";
import { parseContext } from "../../state/context.js";
import type { Results } from "../runs/experimentFolder.js";
import { latestAttempts } from "../runs/runRecord.js";
import { budgetOf } from "../scorers/budget.js";
import type { Scored } from "../scorers/scorer.js";
import { ignoresBudget } from "./strategies.js";

/** What the runs of one figure have in common. */
export interface Condition {
  graph: GraphId;
  /** Units. */
  budget: number;
  /** Tools of less value are granted no calls (τ). */
  threshold: number;
}

/** A run with its condition. */
export type ReportRun = Condition & Pick<Scored, "task" | "run">;

/** The latest attempt of each run of the report that has a result. */
export function reportRuns(experiments: readonly Results[]): ReportRun[] {
  return experiments.flatMap(({ tasks, records }) => {
    const taskOf = new Map(tasks.map((task) => [task.id, task]));
    return latestAttempts(records).flatMap((run) => {
      const task = taskOf.get(run.task);
      const budget = budgetOf(run);
      if (!task || budget === undefined) return [];
      const { valueThreshold: threshold } = parseContext(run.settings);
      return [{ graph: findGraph(run.graph), budget, threshold, task, run }];
    });
  });
}

/**
 * The runs of a condition over some tasks, by task. A graph that ignores budgets has one run for each task, which
 * counts for every budget.
 */
export function runsOf(options: {
  runs: readonly ReportRun[];
  condition: Condition;
  tasks: ReadonlySet<string>;
}): Map<string, ReportRun> {
  const { runs, condition, tasks } = options;
  const isOnce = ignoresBudget(condition.graph);
  const chosen = runs.filter(
    ({ graph, budget, threshold, task }) =>
      graph === condition.graph &&
      tasks.has(task.id) &&
      (isOnce || (budget === condition.budget && threshold === condition.threshold)),
  );
  return new Map(chosen.map((run) => [run.task.id, run]));
}
