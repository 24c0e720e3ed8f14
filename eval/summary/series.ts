import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { latestAttempts, type RunRecord } from "../runs/runRecord.js";
import { scoreRun } from "../scorers/index.js";
import type { ToolShape } from "../scorers/scorer.js";
import type { ScoredRun, SeriesName } from "./summary.js";

/** The runs of one graph under one variant of the settings. */
export interface Series extends SeriesName {
  runs: ScoredRun[];
}

/** The order of an experiment's plan; names that it lacks follow as first seen. */
export interface PlanOrder {
  graphs?: readonly string[];
  variants?: readonly string[];
}

/** Used in place of a scorer's id for a run whose task is not in the benchmark. */
const UNKNOWN_TASK = "task";

/**
 * The latest attempt of each run, scored. They are in the order of the plan, not in the order in which they ended,
 * so that sums do not depend on that.
 */
export function countedRuns(options: {
  records: readonly RunRecord[];
  tasks: readonly Task[];
  tools?: readonly ToolShape[];
  benchmark: Pick<Benchmark, "argumentRule" | "world">;
  order?: PlanOrder;
}): ScoredRun[] {
  const { records, tasks, tools, benchmark, order = {} } = options;
  const taskOf = new Map(tasks.map((task) => [task.id, task]));
  const places = {
    graph: placesOf([...(order.graphs ?? []), ...records.map(({ graph }) => graph)]),
    variant: placesOf([...(order.variants ?? []), ...records.map(({ variant }) => variant)]),
    task: placesOf([...taskOf.keys(), ...records.map(({ task }) => task).toSorted()]),
  };
  const place = (run: RunRecord, by: keyof typeof places) => places[by].get(run[by]) ?? 0;
  return latestAttempts(records)
    .toSorted(
      (a, b) =>
        place(a, "graph") - place(b, "graph") ||
        place(a, "variant") - place(b, "variant") ||
        place(a, "task") - place(b, "task") ||
        a.run - b.run,
    )
    .map((record) => {
      const task = taskOf.get(record.task);
      if (task) return { record, ...scoreRun({ task, run: record, benchmark, tools }) };
      const problem = `there is no task "${record.task}" in the benchmark`;
      return { record, scores: {}, problems: { [UNKNOWN_TASK]: problem } };
    });
}

/** Runs by graph and variant, in the given order. */
export function seriesOf(runs: readonly ScoredRun[]): Series[] {
  const series = new Map<string, Series>();
  for (const run of runs) {
    const { graph, variant } = run.record;
    const key = JSON.stringify([graph, variant]);
    const known = series.get(key) ?? { graph, variant, runs: [] };
    known.runs.push(run);
    series.set(key, known);
  }
  return [...series.values()];
}

/** The values of a score by task; tasks to which it does not apply are left out. */
export function valuesByTask(runs: readonly ScoredRun[], score: string): Map<string, number[]> {
  return valuesBy(runs, { score, keyOf: ({ task }) => task });
}

/** The values of a score by a key of the run; runs to which it does not apply are left out. */
export function valuesBy<Key>(
  runs: readonly ScoredRun[],
  { score, keyOf }: { score: string; keyOf: (record: RunRecord) => Key },
): Map<Key, number[]> {
  const values = new Map<Key, number[]>();
  for (const { record, scores } of runs) {
    const value = scores[score];
    if (value === undefined) continue;
    const known = values.get(keyOf(record));
    if (known) known.push(value);
    else values.set(keyOf(record), [value]);
  }
  return values;
}

/** The first place of each name. */
function placesOf(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}
