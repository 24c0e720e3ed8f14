import { statSync } from "node:fs";
import { UnknownName } from "../../common/errors.js";
import type { Benchmark } from "./benchmark.js";
import { readBenchmarkFolder } from "./benchmarkFolder.js";

/** The shipped benchmarks by name; each is loaded when it is opened. */
export const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  creation: async () => (await import("./creation/index.js")).creationBenchmark(),
  math: async () => (await import("./math/index.js")).mathBenchmark(),
  priced: async () => (await import("./priced/index.js")).pricedBenchmark(),
  work: async () => (await import("./work/index.js")).workBenchmark(),
};

/**
 * Opens a shipped benchmark, or reads one from a folder. A shipped name takes precedence over a folder of that name,
 * which can be given as `./NAME`.
 *
 * @throws UnknownName if there is neither
 * @throws BenchmarkFailed if the folder is not a benchmark
 */
export async function openBenchmark(nameOrFolder: string): Promise<Benchmark> {
  const shipped = Object.hasOwn(BENCHMARKS, nameOrFolder) ? BENCHMARKS[nameOrFolder] : undefined;
  if (shipped) return shipped();
  const isPath = /[/\\]/.test(nameOrFolder);
  if (isPath || statSync(nameOrFolder, { throwIfNoEntry: false })?.isDirectory()) {
    return readBenchmarkFolder(nameOrFolder);
  }
  throw new UnknownName({
    kind: "benchmark",
    wanted: nameOrFolder,
    available: Object.keys(BENCHMARKS),
    hint: "or name a folder that holds tools.jsonl and queries.jsonl",
  });
}
