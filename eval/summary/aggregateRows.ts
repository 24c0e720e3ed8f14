import { SCORERS } from "../scorers/index.js";
import { type Bootstrap, openBootstrap } from "../statistics/bootstrap.js";
import { interquartileMean, mean, standardDeviation } from "../statistics/descriptive.js";
import type { Series } from "./series.js";
import { valuesBy, valuesByTask } from "./series.js";
import { type Aggregate, ALL_LEVELS, type Row, type ScoredRun } from "./summary.js";

/**
 * The rows of a table: for each series one for each level that it has runs of, and one for all.
 *
 * @param options.levels levels in the order in which to show them
 * @param options.levelOf level of each task; runs of other tasks count under all alone
 */
export function rowsOf(options: {
  series: readonly Series[];
  levels: readonly string[];
  levelOf: ReadonlyMap<string, string>;
}): Row[] {
  const { series, levels, levelOf } = options;
  const own = levels.filter((level) => level !== ALL_LEVELS);
  const bootstrap = openBootstrap();
  return series.flatMap(({ graph, variant, runs }) =>
    [...own, ALL_LEVELS].flatMap((level) => {
      const chosen =
        level === ALL_LEVELS
          ? runs
          : runs.filter(({ record }) => levelOf.get(record.task) === level);
      if (chosen.length === 0) return [];
      return [{ graph, variant, level, ...rowFigures({ runs: chosen, bootstrap }) }];
    }),
  );
}

function rowFigures(options: {
  runs: readonly ScoredRun[];
  bootstrap: Bootstrap;
}): Pick<Row, "tasks" | "runs" | "aggregates"> {
  const { runs, bootstrap } = options;
  const aggregates = SCORERS.flatMap(({ id }) => {
    const figure = aggregate({ runs, score: id, bootstrap });
    return figure ? [[id, figure] as const] : [];
  });
  return {
    tasks: new Set(runs.map(({ record }) => record.task)).size,
    runs: runs.length,
    aggregates: Object.fromEntries(aggregates),
  };
}

/** One score over runs; undefined where it applies to none of them. */
function aggregate(options: {
  runs: readonly ScoredRun[];
  score: string;
  bootstrap: Bootstrap;
}): Aggregate | undefined {
  const { runs, score, bootstrap } = options;
  const byTask = valuesByTask(runs, score);
  if (byTask.size === 0) return undefined;
  const values = [...byTask.values()].flat();
  const byRepetition = valuesBy(runs, { score, keyOf: ({ run }) => run });
  return {
    mean: mean(values),
    sdOverRuns: standardDeviation([...byRepetition.values()].map(mean)),
    interquartileMean: interquartileMean(values),
    ...bootstrap(byTask.values()),
    runs: values.length,
  };
}
