import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";

/** What a model sees of a tool. */
export type ToolShape = Pick<ToolDefinition, "id" | "name" | "description" | "parameters"> &
  Partial<Pick<ToolDefinition, "effects">>;

/** The input of a scorer. */
export interface Scored {
  task: Task;
  run: RunRecord;
  benchmark: Pick<Benchmark, "argumentRule" | "world">;
  /** The tools of the benchmark; absent if only their number was stored. */
  tools?: readonly ToolShape[];
}

/**
 * One figure for one run; undefined if it does not apply (no gold calls, no answer key, an unknown price). Shares and
 * rates lie between 0 and 1; true and false count as 1 and 0.
 */
export type Score = (scored: Scored) => number | undefined;

/** A score with its name and its definition, as tables and legends show them (scores.json). */
export interface Scorer {
  /** camelCase, unique. */
  id: string;
  label: string;
  /** One sentence that defines the figure. */
  definition: string;
  /** Where the definition was published. */
  source?: string;
  unit: "share" | "usd" | "tokens" | "count" | "ms";
  /** Which way is better; `none` for plain facts. */
  better: "higher" | "lower" | "none";
  score: Score;
}

/** Scores by their ids. */
export type Scores = Readonly<Record<string, Score>>;

/** A verdict as a score. */
export function scoreOf(verdict: boolean | undefined): number | undefined {
  return verdict === undefined ? undefined : Number(verdict);
}
