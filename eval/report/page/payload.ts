import type { Task } from "../../benchmarks/benchmark.js";
import type { StageVisit } from "../../runs/runRecord.js";
import type { Search, Subtask } from "../../../state/state.js";
import type { ScoreInfo } from "../scores.js";

/** Ids of the elements with data for the page's script. */
export const RUN_LIST_ID = "run-list";
export const RUN_DETAILS_ID = "run-details";

/** One line of the list of runs; null if a figure does not apply or is unknown. */
export interface RunLine {
  task: string;
  level: string;
  graph: string;
  variant: string;
  run: number;
  status: string;
  /** The strictest score that applies, as a share. */
  verdict: number | null;
  recall: number | null;
  calls: number;
  tokens: number;
  usd: number | null;
  ms: number;
  /** The run is marked: a scorer could not judge it. */
  marked: boolean;
  /** The beginning of the answer, for searching. */
  answer: string;
}

/** The data of the list. */
export interface RunList {
  /** Without those in which all runs are the same. */
  columns: RunColumn[];
  runs: RunLine[];
  queries: Record<string, string>;
}

/** A call as shown: values are JSON, long ones are cut. */
export interface ShownCall {
  tool: string;
  args: string;
  result?: string;
  error?: string;
  ms: number;
}

/** The details of one run: a line of JSON, parsed when the run is opened. */
export interface RunDetails {
  id: string;
  task: Pick<Task, "query" | "tools" | "split"> & {
    calls?: string[];
    answers?: string;
    change?: string;
  };
  status: string;
  answer: string;
  error?: string;
  /** Changes to the benchmark's world, as JSON. */
  change?: string;
  problems: [score: string, reason: string][];
  scores: { label: string; value: number; unit: ScoreInfo["unit"] }[];
  stages: StageVisit[];
  subtasks: Subtask[];
  searches: Search[];
  /** The steps of the plan or the code of the program, and everything else in it; empty for a run without a plan. */
  plan: string[];
  calls: ShownCall[];
  /** Token counts are estimates. */
  estimated: boolean;
  settings: [name: string, value: string][];
  facts: [label: string, value: string][];
}

/** A column of the list of runs. */
export interface RunColumn {
  key: keyof RunLine;
  label: string;
  numeric: boolean;
}

/** The possible columns of the list, in order. */
export const RUN_COLUMNS: RunColumn[] = [
  { key: "task", label: "Task", numeric: false },
  { key: "level", label: "Level", numeric: false },
  { key: "graph", label: "Graph", numeric: false },
  { key: "variant", label: "Settings", numeric: false },
  { key: "run", label: "Run", numeric: true },
  { key: "status", label: "Ended", numeric: false },
  { key: "verdict", label: "Right", numeric: true },
  { key: "recall", label: "Tool recall", numeric: true },
  { key: "calls", label: "Calls", numeric: true },
  { key: "tokens", label: "Tokens", numeric: true },
  { key: "usd", label: "Dollars", numeric: true },
  { key: "ms", label: "Time", numeric: true },
];
