import { grouped } from "../../common/grouped.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import type { Task } from "../benchmarks/benchmark.js";
import type { ExperimentDefinition } from "../runs/experiment.js";
import type { Results } from "../runs/experimentFolder.js";
import type { StageVisit } from "../runs/runRecord.js";
import { SCORERS } from "../scorers/index.js";
import type { Scorer } from "../scorers/scorer.js";
import { SIMULATED_GOLD, SIMULATED_POLICY } from "../simulated/policyParameters.js";
import { bootstrapInterval } from "../statistics/bootstrap.js";
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
  type ScoredRun,
  type Series,
  seriesOf,
  valuesBy,
} from "./series.js";

/** The level of rows over all tasks. */
export const ALL_LEVELS = "all";

/** What a reader must know of figures of models that are not language models. */
const STAND_INS: Readonly<Record<string, string>> = {
  [OFFLINE_MODEL]:
    "Figures of the offline planner, which is not a language model: they say how the graphs work, not how well a model does.",
  [SIMULATED_GOLD]:
    "Figures of simulated:gold, which is not a language model: it knows the gold calls, uses only the tools that a graph shows it, and does one step in 20 with a wrong tool. They say what the graphs find and cost, not how well a model does. Dollars are at the price of gpt-4.1-mini.",
  [SIMULATED_POLICY]:
    "Figures of simulated:policy, which is not a language model: it chooses tools by their descriptions and errs at stated rates. They say how the graphs work, not how well a model does.",
};

/** All that reports show. */
export type Summary = ReturnType<typeof summarizeRuns>;

/** One row of the tables: a graph under one variant of the settings, over the tasks of one level. */
export type Row = ReturnType<typeof rowsOf>[number];

/** A figure over many runs. */
export type Aggregate = NonNullable<ReturnType<typeof aggregate>>;

/** The share of a stage in the usage of a graph, as means per run. */
export type StageShare = ReturnType<typeof stageShares>[number];

/**
 * Computes all figures of an experiment from the contents of its folder, whatever the order of its records. Runs that
 * broke off count as not right.
 */
export function summarizeRuns(results: Results) {
  const { experiment, tasks, libraries } = results;
  const { graphs, variants, runs: repetitions, benchmark } = experiment.definition;
  const runs = countedRuns(results);
  const series = seriesOf(runs);
  const levels = [...new Set(tasks.map(({ level }) => level))];
  const planned = tasks.length * graphs.length * variants.length * repetitions;
  const { name, source, hash, tools } = benchmark;
  return {
    name,
    benchmark: { name, source, hash, tasks: tasks.length, tools },
    /** Lines for people: models, settings, seed, versions, date. */
    facts: factsOf(results),
    /** Stand-ins that replaced a language model in some runs, one sentence each: their figures are not those of a model. */
    standIns: standInsAmong(runs.map(({ record }) => record.model)),
    /** Planned runs without a result. */
    missing: Math.max(0, planned - runs.length),
    levels,
    scorers: SCORERS.map(({ score: _score, ...scorer }) => scorer),
    rows: rowsOf(series, tasks, levels),
    tests: pairedTests(series, comparedScores(runs)),
    stages: stageShares(series),
    libraries,
    tasks,
    runs,
  };
}

/** Stages in the order of their visits. */
function stageShares(series: readonly Series[]) {
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
          /** Those that providers have read from their caches. */
          cachedTokens: perRun(({ cachedTokens = 0 }) => cachedTokens),
          outputTokens: perRun(({ outputTokens }) => outputTokens),
          /** By the provider's prices of fresh, cached and written tokens; null if one is unknown. */
          usd: visits.some(({ usd = null }) => usd === null) ? null : perRun(({ usd }) => usd ?? 0),
        };
      },
    );
  });
}

/** For each series one row per level with runs, and one for all levels, under which alone runs of unknown tasks count. */
function rowsOf(series: readonly Series[], tasks: readonly Task[], levels: readonly string[]) {
  const levelOf = new Map(tasks.map(({ id, level }) => [id, level]));
  const own = levels.filter((level) => level !== ALL_LEVELS);
  return series.flatMap(({ graph, variant, runs }) =>
    [...own, ALL_LEVELS].flatMap((level) => {
      const chosen = runs.filter(
        ({ record }) => level === ALL_LEVELS || levelOf.get(record.task) === level,
      );
      if (chosen.length === 0) return [];
      const aggregates = SCORERS.flatMap((scorer) => {
        const figure = aggregate(chosen, scorer);
        return figure ? [[scorer.id, figure] as const] : [];
      });
      return [
        {
          graph,
          variant,
          level,
          tasks: new Set(chosen.map(({ record }) => record.task)).size,
          runs: chosen.length,
          /** By scorer id; absent if the score applies to no run. */
          aggregates: Object.fromEntries(aggregates),
        },
      ];
    }),
  );
}

/** One score over the runs to which it applies; undefined if it applies to none. */
function aggregate(runs: readonly ScoredRun[], { id, unit }: Pick<Scorer, "id" | "unit">) {
  const byTask = valuesBy("task", runs, id);
  if (byTask.size === 0) return undefined;
  const values = [...byTask.values()].flat();
  const byRepetition = valuesBy("run", runs, id);
  const intervalOf = unit === "share" ? wilsonInterval : bootstrapInterval;
  return {
    mean: mean(values),
    /** Standard deviation of the per-run-number means; 0 with a single repetition. */
    sdOverRuns: standardDeviation([...byRepetition.values()].map(mean)),
    /** Mean of the middle half, for costs. */
    interquartileMean: interquartileMean(values),
    /** 95 % interval of the mean over tasks: Wilson's for shares, by bootstrap for costs. */
    ...intervalOf(byTask.values()),
    runs: values.length,
  };
}

function factsOf({ experiment, records }: Results): [label: string, value: string][] {
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
