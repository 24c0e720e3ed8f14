import { bestCatalogue } from "../../workspace/assembledLibraries.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { openBenchmark } from "../benchmarks/index.js";
import { type Selection, selectTasks } from "../benchmarks/selectTasks.js";
import { type GoldTask, goldTasks } from "./goldTask.js";
import { SEEDED_WORLD, seededWorld } from "./seededWorld.js";

/** A benchmark as the oracle runs on it. */
export interface Subject {
  /** As the user has named it. */
  named: string;
  /** Its tools without functions are answered by the seeded world. */
  benchmark: Benchmark;
  /** Catalogue that implements its tools; absent where seeded values stand in. */
  catalogue?: string;
  gold: GoldTask[];
}

/**
 * Opens a benchmark, and finds the tasks that the oracle has a plan for.
 *
 * @param selection which of its tasks; all when absent
 * @throws UnknownName, BenchmarkFailed when it cannot be opened
 */
export async function openSubject(named: string, selection: Selection = {}): Promise<Subject> {
  const opened = await openBenchmark(named);
  const catalogue = opened.catalogue ?? (await bestCatalogue(opened.tools.map(({ id }) => id)));
  const benchmark = catalogue === undefined ? answeredBySeeds(opened) : opened;
  const tasks = selectTasks(benchmark, selection);
  const gold = goldTasks({ benchmark: { ...benchmark, tasks }, seeded: catalogue === undefined });
  return { named, benchmark, gold, ...(catalogue === undefined ? {} : { catalogue }) };
}

/** Without a file of its own, its tools are declared in the home of its runs, with their world. */
function answeredBySeeds({ toolsFile: _toolsFile, ...benchmark }: Benchmark): Benchmark {
  const file = `${SEEDED_WORLD}.jsonl`;
  const tools = benchmark.tools.map((tool) => ({
    ...tool,
    source: { kind: "declared" as const, file, world: SEEDED_WORLD },
  }));
  return { ...benchmark, tools, answeringWorld: seededWorld(tools) };
}
