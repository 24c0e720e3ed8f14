import { OFFLINE_MODEL } from "../../state/settings.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import { SCORERS } from "../scorers/index.js";
import type { ToolShape } from "../scorers/scorer.js";
import { comparedScores, pairedTests } from "./pairedTests.js";
import {
  countedRuns,
  type PlanOrder,
  type Series,
  seriesOf,
  valuesBy,
  valuesByTask,
} from "./series.js";
import {
  type LibraryCost,
  type StageShare,
  type Summary,
  type Aggregate,
  ALL_LEVELS,
  type Row,
  type ScoredRun,
} from "./summary.js";
import { type Bootstrap, openBootstrap } from "../statistics/bootstrap.js";
import { interquartileMean, mean, standardDeviation } from "../statistics/descriptive.js";

/** The contents of an experiment's folder. */
export interface SummaryInput {
  name: string;
  benchmark: Pick<Benchmark, "name" | "source" | "hash" | "argumentRule" | "world"> & {
    /** Number of tools. */
    tools: number;
  };
  /** The tasks that were run, in the order of the benchmark. */
  tasks: readonly Task[];
  /** The benchmark's tools, if they are known: calls are checked against them. */
  tools?: readonly ToolShape[];
  /** In any order, including earlier attempts. */
  records: readonly RunRecord[];
  /** Number of runs in the whole experiment. */
  planned: number;
  libraries: readonly LibraryCost[];
  facts: Summary["facts"];
  /** Graphs and variants in the order of the plan; as first seen in the records when absent. */
  order?: PlanOrder;
}

/**
 * Computes all figures of an experiment from its records. If the order of the plan is given, the order of the records
 * does not matter. Runs that broke off count as not right.
 */
export function summarizeRuns(input: SummaryInput): Summary {
  const { name, benchmark, tasks, records, planned, libraries, facts, order } = input;
  const runs = countedRuns({ records, tasks, tools: input.tools, benchmark, order });
  const series = seriesOf(runs);
  const levels = [...new Set(tasks.map(({ level }) => level))];
  const levelOf = new Map(tasks.map(({ id, level }) => [id, level]));
  const { source, hash, tools } = benchmark;
  return {
    name,
    benchmark: { name: benchmark.name, source, hash, tasks: tasks.length, tools },
    facts,
    offline: runs.some(({ record }) => isOffline(record)),
    missing: Math.max(0, planned - runs.length),
    levels,
    scorers: SCORERS.map(({ score: _score, ...scorer }) => scorer),
    rows: rowsOf(series, levels, levelOf),
    tests: pairedTests({ series, scores: comparedScores(runs) }),
    stages: stageShares(series),
    libraries: [...libraries],
    tasks: [...tasks],
    runs,
  };
}

function isOffline({ model }: RunRecord): boolean {
  return model === OFFLINE_MODEL;
}

/** Model calls and tokens of each stage as means per run; stages in the order of their visits. */
function stageShares(series: readonly Series[]): StageShare[] {
  return series.flatMap(({ graph, variant, runs }) => {
    const totals = new Map<
      string,
      Pick<StageShare, "modelCalls" | "inputTokens" | "outputTokens">
    >();
    for (const { stage, ...visit } of runs.flatMap(({ record }) => record.stages)) {
      const known = totals.get(stage);
      totals.set(stage, {
        modelCalls: (known?.modelCalls ?? 0) + visit.modelCalls,
        inputTokens: (known?.inputTokens ?? 0) + visit.inputTokens,
        outputTokens: (known?.outputTokens ?? 0) + visit.outputTokens,
      });
    }
    return [...totals].map(([stage, total]) => ({
      graph,
      variant,
      stage,
      modelCalls: total.modelCalls / runs.length,
      inputTokens: total.inputTokens / runs.length,
      outputTokens: total.outputTokens / runs.length,
    }));
  });
}

/**
 * The rows of a table: for each series one row per level with runs, and one for all levels.
 *
 * @param levels levels in the order in which to show them
 * @param levelOf level of each task; runs of other tasks count only under all levels
 */
function rowsOf(
  series: readonly Series[],
  levels: readonly string[],
  levelOf: ReadonlyMap<string, string>,
): Row[] {
  const own = levels.filter((level) => level !== ALL_LEVELS);
  const bootstrap = openBootstrap();
  return series.flatMap(({ graph, variant, runs }) =>
    [...own, ALL_LEVELS].flatMap((level) => {
      const chosen =
        level === ALL_LEVELS
          ? runs
          : runs.filter(({ record }) => levelOf.get(record.task) === level);
      if (chosen.length === 0) return [];
      return [{ graph, variant, level, ...rowFigures(chosen, bootstrap) }];
    }),
  );
}

function rowFigures(
  runs: readonly ScoredRun[],
  bootstrap: Bootstrap,
): Pick<Row, "tasks" | "runs" | "aggregates"> {
  const aggregates = SCORERS.flatMap(({ id }) => {
    const figure = aggregate(runs, id, bootstrap);
    return figure ? [[id, figure] as const] : [];
  });
  return {
    tasks: new Set(runs.map(({ record }) => record.task)).size,
    runs: runs.length,
    aggregates: Object.fromEntries(aggregates),
  };
}

/** One score over runs; undefined if it applies to none of them. */
function aggregate(
  runs: readonly ScoredRun[],
  score: string,
  bootstrap: Bootstrap,
): Aggregate | undefined {
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
