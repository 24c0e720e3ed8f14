import type { Benchmark, Task } from "../benchmarks/benchmark.js";

/** A point of the grid: the settings that vary, and a name made of them. */
export interface Variant {
  /** Such as "topK=5 model=a:b"; "" if nothing varies. */
  name: string;
  settings: Record<string, unknown>;
}

/** What to run. Two experiments with the same definition plan the same runs. */
export interface ExperimentDefinition {
  benchmark: Pick<Benchmark, "name" | "source" | "hash" | "argumentRule" | "world" | "library"> & {
    tools: number;
  };
  tasks: string[];
  graphs: string[];
  /** SHA-256 of the files of the user's own graphs; absent without any. */
  ownGraphs?: Record<string, string>;
  variants: Variant[];
  /** Repetitions of each task. */
  runs: number;
  settings: Record<string, unknown>;
  /** Seed of the first repetition and of the tools on offer; each further repetition adds 1. */
  seed: number;
  /** Catalog that implements the tools, if any does. */
  catalog?: string;
  /** How many other tools of the set are offered beside a task's own; absent for all. */
  others?: number;
  shuffled?: true;
  isServed?: true;
  /** Present if calls are answered from recordings. */
  replay?: Pick<NonNullable<Benchmark["replay"]>, "live" | "renamed">;
}

/** What an experiment's folder says about it. */
export interface Experiment {
  /** Made when the experiment began; keeps its threads on a server apart from others. */
  id: string;
  definition: ExperimentDefinition;
  version: string;
  /** ISO 8601. */
  startedAt: string;
}

/** In place of a graph: the one that each task was recorded with. */
export const AS_RECORDED = "recorded";

/** One run to make. */
export interface PlannedRun {
  id: string;
  task: Task;
  graph: string;
  variant: string;
  /** From 1. */
  run: number;
  /** As given to the graph. */
  settings: Record<string, unknown>;
}

/**
 * All runs of an experiment. Repetitions come last, so that half the time already covers all tasks and graphs.
 *
 * @param options.settingsOf adds a task's own settings, such as its tools, to those of the grid
 */
export function planRuns(options: {
  definition: ExperimentDefinition;
  tasks: readonly Task[];
  settingsOf: (task: Task, settings: Record<string, unknown>) => Record<string, unknown>;
}): PlannedRun[] {
  const { definition, tasks, settingsOf } = options;
  const { graphs, variants, runs, seed } = definition;
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    tasks.flatMap((task) =>
      variants.flatMap((variant) =>
        graphs.map((graph) => ({
          id: [task.id, graph, variant.name, run].filter((part) => part !== "").join(" | "),
          task,
          graph: graph === AS_RECORDED ? (task.recording?.graph ?? graph) : graph,
          variant: variant.name,
          run,
          settings: {
            ...settingsOf(task, { ...definition.settings, ...variant.settings }),
            seed: seed + run - 1,
          },
        })),
      ),
    ),
  );
}

/**
 * All combinations of the values of a grid; one variant without a name if nothing varies.
 *
 * @param grid each setting with its values
 */
export function variantsOf(grid: Record<string, readonly unknown[]>): Variant[] {
  let variants: Variant[] = [{ name: "", settings: {} }];
  for (const [setting, values] of Object.entries(grid)) {
    variants = variants.flatMap((variant) =>
      values.map((value) => ({
        name: [
          variant.name,
          `${setting}=${typeof value === "string" ? value : JSON.stringify(value)}`,
        ]
          .filter(Boolean)
          .join(" "),
        settings: { ...variant.settings, [setting]: value },
      })),
    );
  }
  return variants;
}
