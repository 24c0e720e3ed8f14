import { grouped } from "../../common/grouped.js";
import type { Results } from "../runs/experimentFolder.js";
import { latestAttempts, type RunRecord } from "../runs/runRecord.js";
import { type RunScores, scoreRun } from "../scorers/index.js";
import { mean } from "../statistics/descriptive.js";
import { pairedTest } from "../statistics/wilcoxon.js";

/** Names the runs of one graph under one variant of the settings. */
export interface SeriesName {
  graph: string;
  variant: string;
}

/** One run with its scores. */
export type ScoredRun = ReturnType<typeof countedRuns>[number];

/** The runs of one graph under one variant of the settings. */
export interface Series extends SeriesName {
  runs: ScoredRun[];
}

/** Used in place of a scorer's id for a run whose task is not in the benchmark. */
const UNKNOWN_TASK = "task";

/**
 * The latest attempt of each run, scored. They are in the order of the plan, not in the order in which they ended,
 * so that sums do not depend on that.
 */
export function countedRuns({ experiment, records, tasks, tools }: Results) {
  const { benchmark, graphs, variants } = experiment.definition;
  const taskOf = new Map(tasks.map((task) => [task.id, task]));
  const places = {
    graph: placesOf([...graphs, ...records.map(({ graph }) => graph)]),
    variant: placesOf(variants.map(({ name }) => name)),
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
    .map((record): { record: RunRecord } & RunScores => {
      const task = taskOf.get(record.task);
      if (task) return { record, ...scoreRun({ task, run: record, benchmark, tools }) };
      const problem = `there is no task "${record.task}" in the benchmark`;
      return { record, scores: {}, problems: { [UNKNOWN_TASK]: problem } };
    });
}

/** Runs by graph and variant, in the given order. */
export function seriesOf(runs: readonly ScoredRun[]): Series[] {
  const series = grouped(runs, ({ record: { graph, variant } }) =>
    JSON.stringify([graph, variant]),
  );
  return [...series.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ graph: first.record.graph, variant: first.record.variant, runs: own }] : [];
  });
}

/** The values of a score by task or by number of the repetition; runs to which it does not apply are left out. */
export function valuesBy(by: "task" | "run", runs: readonly ScoredRun[], score: string) {
  const values = new Map<string, number[]>();
  for (const { record, scores } of runs) {
    const value = scores[score];
    if (value === undefined) continue;
    const key = String(record[by]);
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}

/**
 * Scores that say whether a run was right, the strictest first. Which of them apply depends on what a benchmark
 * provides: a change of a world, answers, facts and a budget, gold calls.
 */
export const STRICTEST_FIRST: readonly string[] =
  "asAsked pathExact ownChecker stateMatch answerNumeric passedWithinBudget passed callMatch".split(
    " ",
  );

/** The cost that is compared with correctness; unlike dollars, it is known for every model. */
const COST = "totalTokens";

/** The scores for comparing graphs: the verdicts that apply to some run, and tokens. */
export function comparedScores(runs: readonly ScoredRun[]): string[] {
  return [...STRICTEST_FIRST, COST].filter((score) =>
    runs.some(({ scores }) => scores[score] !== undefined),
  );
}

/**
 * Tests between all graphs under the same variant of the settings, and between all variants of the same graph, over
 * the tasks that both have. The p-values are not corrected for the number of tests.
 */
export function pairedTests(series: readonly Series[], scores: readonly string[]) {
  return scores.flatMap((score) => {
    const means = series.map(({ runs }) => taskMeans(runs, score));
    return series.flatMap((a, index) =>
      series.slice(index + 1).flatMap((b, offset) => {
        if (a.variant !== b.variant && a.graph !== b.graph) return [];
        const [first, second] = [means[index], means[index + 1 + offset]];
        const test = first && second && pairedTest(first, second);
        if (!test || test.pairs === 0) return [];
        return [{ score, a: nameOf(a), b: nameOf(b), ...test }];
      }),
    );
  });
}

function nameOf({ graph, variant }: Series): SeriesName {
  return { graph, variant };
}

/** The mean of a score for each task. */
export function taskMeans(runs: readonly ScoredRun[], score: string): Map<string, number> {
  return new Map([...valuesBy("task", runs, score)].map(([task, values]) => [task, mean(values)]));
}
