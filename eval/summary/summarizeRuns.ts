import { grouped } from "../../common/grouped.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import type { ExperimentDefinition } from "../runs/experiment.js";
import type { Results } from "../runs/experimentFolder.js";
import type { RunRecord, StageVisit } from "../runs/runRecord.js";
import { SCORERS } from "../scorers/index.js";
import type { ToolShape } from "../scorers/scorer.js";
import { SIMULATED_GOLD, SIMULATED_POLICY } from "../simulated/policyParameters.js";
import { type Bootstrap, openBootstrap } from "../statistics/bootstrap.js";
import {
  interquartileMean,
  mean,
  standardDeviation,
  sum,
  wilsonInterval,
} from "../statistics/descriptive.js";
import {
  comparedScores,
  countedRuns,
  pairedTests,
  type PlanOrder,
  type Series,
  seriesOf,
  valuesBy,
} from "./series.js";
import {
  type Aggregate,
  ALL_LEVELS,
  type LibraryCost,
  type Row,
  type ScoredRun,
  type StageShare,
  type Summary,
} from "./summary.js";

/** What a reader must know of figures of models that are not language models. */
const STAND_INS: Readonly<Record<string, string>> = {
  [OFFLINE_MODEL]:
    "Figures of the offline planner, which is not a language model: they say how the graphs work, not how well a model does.",
  [SIMULATED_GOLD]:
    "Figures of simulated:gold, which is not a language model: it knows the gold calls, uses only the tools that a graph shows it, and does one step in 20 with a wrong tool. They say what the graphs find and cost, not how well a model does. Dollars are at the price of gpt-4.1-mini.",
  [SIMULATED_POLICY]:
    "Figures of simulated:policy, which is not a language model: it chooses tools by their descriptions and errs at stated rates. They say how the graphs work, not how well a model does.",
};

/** The figures of an experiment, from the contents of its folder. */
export function summarizeResults(results: Results): Summary {
  const { experiment, tasks, records, libraries, tools } = results;
  const { definition } = experiment;
  const { graphs, variants, runs, benchmark } = definition;
  return summarizeRuns({
    name: benchmark.name,
    benchmark,
    tasks,
    ...(tools ? { tools } : {}),
    records,
    planned: tasks.length * graphs.length * variants.length * runs,
    libraries,
    facts: factsOf(results),
    order: { graphs, variants: variants.map(({ name }) => name) },
  });
}

/** The contents of an experiment's folder. */
export interface SummaryInput {
  name: string;
  benchmark: Pick<Benchmark, "name" | "source" | "hash" | "argumentRule" | "world"> & {
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
    standIns: standInsAmong(runs.map(({ record }) => record.model)),
    missing: Math.max(0, planned - runs.length),
    levels,
    scorers: SCORERS.map(({ score: _score, ...scorer }) => scorer),
    rows: rowsOf(series, levels, levelOf),
    tests: pairedTests(series, comparedScores(runs)),
    stages: stageShares(series),
    libraries: [...libraries],
    tasks: [...tasks],
    runs,
  };
}

/** Model calls and tokens of each stage as means per run; stages in the order of their visits. */
function stageShares(series: readonly Series[]): StageShare[] {
  return series.flatMap(({ graph, variant, runs }) => {
    const stages = runs.flatMap(({ record }) => record.stages);
    return Array.from(
      grouped(stages, ({ stage }) => stage),
      ([stage, visits]) => {
        const perRun = (of: (visit: StageVisit) => number) => sum(visits.map(of)) / runs.length;
        return {
          graph,
          variant,
          stage,
          modelCalls: perRun(({ modelCalls }) => modelCalls),
          inputTokens: perRun(({ inputTokens }) => inputTokens),
          cachedTokens: perRun(({ cachedTokens = 0 }) => cachedTokens),
          outputTokens: perRun(({ outputTokens }) => outputTokens),
          usd: visits.some(({ usd = null }) => usd === null) ? null : perRun(({ usd }) => usd ?? 0),
        };
      },
    );
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
      const tasks = new Set(chosen.map(({ record }) => record.task)).size;
      const aggregates = SCORERS.flatMap(({ id, unit }) => {
        const intervalOf = unit === "share" ? wilsonInterval : bootstrap;
        const figure = aggregate(chosen, id, intervalOf);
        return figure ? [[id, figure] as const] : [];
      });
      const figures = Object.fromEntries(aggregates);
      return [{ graph, variant, level, tasks, runs: chosen.length, aggregates: figures }];
    }),
  );
}

/** One score over runs; undefined if it applies to none of them. */
function aggregate(
  runs: readonly ScoredRun[],
  score: string,
  intervalOf: Bootstrap,
): Aggregate | undefined {
  const byTask = valuesBy("task", runs, score);
  if (byTask.size === 0) return undefined;
  const values = [...byTask.values()].flat();
  const byRepetition = valuesBy("run", runs, score);
  return {
    mean: mean(values),
    sdOverRuns: standardDeviation([...byRepetition.values()].map(mean)),
    interquartileMean: interquartileMean(values),
    ...intervalOf(byTask.values()),
    runs: values.length,
  };
}

function factsOf({ experiment, records }: Results): Summary["facts"] {
  const { definition, version, startedAt } = experiment;
  const { settings, variants, runs, seed } = definition;
  const models = unique(records.map(({ model }) => model));
  const facts: [string, string | undefined][] = [
    ["Models", models.map(modelText).join(", ")],
    ["Embeddings", unique(records.map(({ embeddings }) => embeddings)).join(", ")],
    ["Variants", variants.length > 1 ? variants.map(({ name }) => name).join(" · ") : undefined],
    ["Settings", settingsText(settings)],
    ["Repetitions", `${runs}, seeds from ${seed}`],
    ["Functions", functionsText(definition)],
    ["Tools on offer", offerText(definition)],
    ["Started", startedAt],
    ["Version", `tulipgraph ${version}`],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []));
}

function offerText({ others, shuffled }: ExperimentDefinition): string | undefined {
  const own = others === 0 ? "a task's own" : `a task's own among ${others} others`;
  const order = shuffled ? "in an order drawn for each task" : "";
  return [others === undefined ? "" : own, order].filter(Boolean).join(", ") || undefined;
}

/** What implemented the tools that were called. */
function functionsText({ benchmark, catalog, replay }: ExperimentDefinition): string {
  if (replay?.live) return "recordings; reads without one were made for real";
  if (replay) return "recordings: no tool was called";
  if (benchmark.library !== undefined) return `library ${benchmark.library}, called for real`;
  if (catalog !== undefined) return `catalog ${catalog}`;
  if (benchmark.world) return `the simulated world ${benchmark.world.name}`;
  return "none: calls were only recorded";
}

/** Sorted, so that the order in which runs ended does not matter. */
function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

function modelText(model: string): string {
  return isStandIn(model) ? `${model} (no language model)` : model;
}

function settingsText(settings: Record<string, unknown>): string {
  return Object.entries(settings)
    .filter(([name]) => name !== "model" && name !== "embeddings")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function standInsAmong(models: readonly string[]): string[] {
  return [...new Set(models)].flatMap((model) => STAND_INS[model] ?? []);
}

/** Whether a model is not a language model. */
function isStandIn(model: string): boolean {
  return Object.hasOwn(STAND_INS, model);
}
