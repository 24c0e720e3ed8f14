import type { Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Scorer } from "../scorers/scorer.js";
import type { PairedOutcome } from "../statistics/wilcoxon.js";

/** Names the runs of one graph under one variant of the settings. */
export interface SeriesName {
  graph: string;
  variant: string;
}

/** The level of rows over all tasks. */
export const ALL_LEVELS = "all";

/** A figure over many runs. */
export interface Aggregate {
  /** Mean over the runs to which the score applies. */
  mean: number;
  /** Standard deviation of the per-run-number means; 0 with a single repetition. */
  sdOverRuns: number;
  /** Mean of the middle half, for costs. */
  interquartileMean: number;
  /** 95 % interval of the mean over tasks: Wilson's for shares, by bootstrap for costs. */
  low: number;
  high: number;
  /** Runs to which the score applies. */
  runs: number;
}

/** One run with its scores by scorer id; `undefined` if one does not apply. */
export interface ScoredRun {
  record: RunRecord;
  scores: Record<string, number | undefined>;
  /** Scorers that could not judge this run, with the reason: reports mark the run. */
  problems: Record<string, string>;
}

/** One row of the tables: a graph under one variant of the settings, over the tasks of one level. */
export interface Row extends SeriesName {
  /** "all" for all levels together. */
  level: string;
  tasks: number;
  runs: number;
  /** By scorer id; absent if the score applies to no run. */
  aggregates: Record<string, Aggregate>;
}

/** Wilcoxon signed-rank test between two graphs over the per-task means of one score. */
export interface PairedTest extends PairedOutcome {
  score: string;
  a: SeriesName;
  b: SeriesName;
}

/** The share of a stage in the usage of a graph, as means per run. */
export interface StageShare extends SeriesName {
  stage: string;
  modelCalls: number;
  inputTokens: number;
  /** Those that providers have read from their caches. */
  cachedTokens: number;
  outputTokens: number;
  /** By the provider's prices of fresh, cached and written tokens; null if one is unknown. */
  usd: number | null;
}

/** What embedding a library cost, apart from the runs. */
export interface LibraryCost {
  library: string;
  embeddings: string;
  tools: number;
  embeddingTokens: number;
  usd: number | null;
}

/** All that reports show, computed from the records of one experiment. */
export interface Summary {
  name: string;
  benchmark: { name: string; source: string; hash: string; tasks: number; tools: number };
  /** Lines for people: models, settings, seed, versions, date. */
  facts: [label: string, value: string][];
  /** Stand-ins that replaced a language model in some runs, one sentence each: their figures are not those of a model. */
  standIns: string[];
  /** Planned runs without a result. */
  missing: number;
  levels: string[];
  scorers: Omit<Scorer, "score">[];
  rows: Row[];
  tests: PairedTest[];
  stages: StageShare[];
  libraries: LibraryCost[];
  tasks: Task[];
  runs: ScoredRun[];
}
