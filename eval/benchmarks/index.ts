import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { UnknownName } from "../../common/errors.js";
import { givenFields } from "../../common/givenFields.js";
import type { Benchmark } from "./benchmark.js";
import { readBenchmarkFolder } from "./benchmarkFolder.js";

/** The shipped benchmarks by name; each is loaded when it is opened. */
export const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  creation: async () => (await import("./creation/index.js")).creationBenchmark(),
  math: async () => (await import("./math/index.js")).mathBenchmark(),
  priced: async () => (await import("./priced/index.js")).pricedBenchmark(),
  work: async () => (await import("./work/index.js")).workBenchmark(),
};

/** Published benchmarks, each read from a checkout of its repository, by a file of it; the first part if none is named. */
const PUBLISHED: Record<string, { name: string; inside?: string; parts: string[] }> = {
  "env/utils/solver.py": {
    name: "costbench",
    parts: ["static", "cost_change", "steplen_change", "ban_tool", "preference_change"],
  },
  "berkeley-function-call-leaderboard/bfcl_eval/data/BFCL_v4_multi_turn_base.json": {
    name: "bfcl",
    inside: "berkeley-function-call-leaderboard",
    parts: ["base", "miss_func", "miss_param", "long_context"].map((part) => `multi_turn_${part}`),
  },
  "tau_bench/envs/retail/tasks_test.py": { name: "tau", parts: ["test", "train", "dev"] },
};

/**
 * Opens a shipped benchmark, or reads one from a folder. A shipped name takes precedence over a folder of that name,
 * which can be given as `./NAME`. The folder may be a checkout of a published benchmark, with a part of it: `CostBench#static`.
 *
 * @throws UnknownName if there is neither
 * @throws BenchmarkFailed if the folder is not a benchmark
 */
export async function openBenchmark(nameOrFolder: string): Promise<Benchmark> {
  const shipped = Object.hasOwn(BENCHMARKS, nameOrFolder) ? BENCHMARKS[nameOrFolder] : undefined;
  if (shipped) return shipped();
  const [folder = "", part] = nameOrFolder.split("#");
  const published = Object.entries(PUBLISHED).find(([file]) => existsSync(join(folder, file)))?.[1];
  if (published) {
    const { name, inside, parts } = published;
    const wanted = part ?? parts[0] ?? "";
    if (!parts.includes(wanted))
      throw new UnknownName({ kind: `part of ${name}`, wanted, available: parts });
    const { playedBenchmark } = await import("./playedBenchmark.js");
    return await playedBenchmark({ name, ...givenFields({ inside }), folder, part: wanted });
  }
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
