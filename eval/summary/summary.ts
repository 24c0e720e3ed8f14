import type { Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Scorer } from "../scorers/scorer.js";
import type { PairedOutcome } from "../statistics/wilcoxon.js";

/** The runs of one graph under one variant of the settings, by name. */
export interface SeriesName {
  graph: string;
  variant: string;
}

/** Level of the rows over the tasks of all levels. */
export const ALL_LEVELS = "all";

/** A figure over many runs. */
export interface Aggregate {
  /** Mean over the runs that the score applies to. */
  mean: number;
  /** Standard deviation of the per-run-number means; 0 with a single repetition. */
  sdOverRuns: number;
  /** Mean of the middle half, for costs. */
  interquartileMean: number;
  /** Bootstrap interval of the mean over tasks, 95 %. */
  low: number;
  high: number;
  /** Runs that the score applied to. */
  runs: number;
}

/** One run with its scores by scorer id; `undefined` where one does not apply. */
export interface ScoredRun {
  record: RunRecord;
  scores: Record<string, number | undefined>;
  /** Scorers that could not judge this run, with the reason: the run is marked, the batch goes on. */
  problems: Record<string, string>;
}

/** One row of the tables: a graph under one variant of the settings, over the tasks of one level. */
export interface Row extends SeriesName {
  /** "all" for all levels together. */
  level: string;
  tasks: number;
  runs: number;
  /** By scorer id; absent where the score applies to no run. */
  aggregates: Record<string, Aggregate>;
}

/** Wilcoxon signed-rank test between two graphs over the per-task means of one score. */
export interface PairedTest extends PairedOutcome {
  score: string;
  a: SeriesName;
  b: SeriesName;
}

/** What the tokens of a graph went into: means per run. */
export interface StageShare extends SeriesName {
  stage: string;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
}

/** What the embedding of a library has taken, apart from the runs. */
export interface LibraryCost {
  library: string;
  embeddings: string;
  tools: number;
  embeddingTokens: number;
  usd: number | null;
  /** Runs that it served: what one run would bear of it. */
  runs: number;
}

/** All that reports show, computed from the records of one experiment. */
export interface Summary {
  name: string;
  benchmark: { name: string; source: string; hash: string; tasks: number; tools: number };
  /** Lines for people: models, settings, seed, versions, date. */
  facts: [label: string, value: string][];
  /** The offline planner stood in for a model in some runs: their figures are no model's. */
  offline: boolean;
  /** Runs that were planned and have no result yet. */
  missing: number;
  levels: string[];
  scorers: Omit<Scorer, "score">[];
  rows: Row[];
  tests: PairedTest[];
  stages: StageShare[];
  libraries: LibraryCost[];
  /** The tasks that the runs are about: what was asked, and what would have been right. */
  tasks: Task[];
  runs: ScoredRun[];
}
