import { bestCatalogue } from "../../workspace/assembledLibraries.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { openBenchmark } from "../benchmarks/index.js";
import { type Selection, selectTasks } from "../benchmarks/selectTasks.js";
import { type GoldTask, goldTasks } from "./goldTask.js";
import { SEEDED_WORLD, seededWorld } from "./seededWorld.js";

/** A benchmark prepared for the oracle. */
export interface Subject {
  /** As the user named it. */
  named: string;
  /** The seeded world answers its tools that have no functions. */
  benchmark: Benchmark;
  /** Catalogue that implements its tools; absent if they return seeded values. */
  catalogue?: string;
  gold: GoldTask[];
}

/**
 * Opens a benchmark and finds the tasks for which the oracle has a plan.
 *
 * @param selection which of its tasks; all when absent
 * @throws UnknownName, BenchmarkFailed if it cannot be opened
 */
export async function openSubject(named: string, selection: Selection = {}): Promise<Subject> {
  const opened = await openBenchmark(named);
  const catalogue = opened.catalogue ?? (await bestCatalogue(opened.tools.map(({ id }) => id)));
  const benchmark = catalogue === undefined ? answeredBySeeds(opened) : opened;
  const tasks = selectTasks(benchmark, selection);
  const gold = goldTasks({ benchmark: { ...benchmark, tasks }, seeded: catalogue === undefined });
  return { named, benchmark, gold, ...(catalogue === undefined ? {} : { catalogue }) };
}

/** Without `toolsFile`, its tools are declared in the home of its runs, with their world. */
function answeredBySeeds({ toolsFile: _toolsFile, ...benchmark }: Benchmark): Benchmark {
  const file = `${SEEDED_WORLD}.jsonl`;
  const tools = benchmark.tools.map((tool) => ({
    ...tool,
    source: { kind: "declared" as const, file, world: SEEDED_WORLD },
  }));
  return { ...benchmark, tools, answeringWorld: seededWorld(tools) };
}
