import type { GraphId } from "../../graphs/index.js";
import { parseContext } from "../../state/context.js";
import type { ExperimentOptions } from "../runs/prepare.js";
import { COMPARED, ignoresBudget, keepsBudget } from "./strategies.js";

/** Units that a request may cost in the main comparison (BTP: R = 20). */
export const MAIN_BUDGET = 20;

/** Units that a request may cost in the sweep over budgets. */
export const SWEPT_BUDGETS = [5, 10, 20, 30, 40, 60] as const;

/** Values of a tool below which it is granted no calls, in the sweep over thresholds (τ of BTP). */
export const SWEPT_THRESHOLDS = [0, 0.1, 0.15, 0.2, 0.3, 0.4] as const;

/** The threshold of the main comparison. */
export const MAIN_THRESHOLD = parseContext({}).valueThreshold;

/** How large the report is. */
interface ReportSize {
  /** Requests of the main comparison. */
  queries: number;
  /** Requests of the sweeps: no more than `queries`, since they reuse runs of the main comparison. */
  sweepQueries: number;
  /** Of the runs. */
  seed: number;
  /** Embedding model that compares requests; the usual one when absent. */
  embeddings?: string;
}

/** An experiment of the report: an ordinary one, with its own folder. */
interface ReportExperiment {
  /** Also the name of its folder. */
  name: "main" | "budgets" | "thresholds";
  options: ExperimentOptions;
}

/**
 * The experiments of the report. The sweeps reuse runs of the main comparison: those at R = 20 and the default
 * threshold, and those of graphs that ignore budgets, which are judged again under each budget.
 */
export function reportExperiments(size: ReportSize): ReportExperiment[] {
  const { queries, sweepQueries, seed, embeddings } = size;
  const all = COMPARED.map(({ graph }) => graph);
  const settings = { ...SETTINGS, ...(embeddings === undefined ? {} : { embeddings }) };
  const atMain = { ...settings, budget: MAIN_BUDGET };
  return [
    experiment({ name: "main", seed, graphs: all, queries, settings: atMain, grid: {} }),
    experiment({
      name: "budgets",
      seed,
      graphs: all.filter((graph) => !ignoresBudget(graph)),
      queries: sweepQueries,
      settings,
      grid: { budget: othersOf(SWEPT_BUDGETS, MAIN_BUDGET) },
    }),
    experiment({
      name: "thresholds",
      seed,
      graphs: all.filter(keepsBudget),
      queries: sweepQueries,
      settings: atMain,
      grid: { valueThreshold: othersOf(SWEPT_THRESHOLDS, MAIN_THRESHOLD) },
    }),
  ];
}

/** Settings of all runs of the report. */
const SETTINGS = {
  model: "simulated:policy",
  // All tools that a request's retriever offers: no more than fifteen.
  topK: 20,
  // More than any search makes, so that none is ended by a limit other than its own.
  maxModelCalls: 250,
};

function othersOf(values: readonly number[], main: number): number[] {
  return values.filter((value) => value !== main);
}

function experiment(options: {
  name: ReportExperiment["name"];
  seed: number;
  graphs: readonly GraphId[];
  queries: number;
  settings: Record<string, unknown>;
  grid: ExperimentOptions["grid"];
}): ReportExperiment {
  const { name, seed, graphs, queries, settings, grid } = options;
  return {
    name,
    options: {
      benchmark: "priced",
      selection: { limit: queries },
      graphs,
      settings,
      grid,
      runs: 1,
      seed,
      checkpoints: "none",
    },
  };
}
