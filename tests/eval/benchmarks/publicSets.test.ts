import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readBenchmarkFolder } from "../../../eval/benchmarks/benchmarkFolder.js";

const BENCH = fileURLToPath(new URL("../../../../shared/bench/", import.meta.url));

/** Name, tools, tasks, and tasks with gold calls, by the sets' own notes and files. */
const SETS: [name: string, tools: number, tasks: number, called: number][] = [
  ["apibank", 71, 261, 261],
  ["bfcl_multiturn", 128, 300, 99],
  ["bfcl_single", 1_975, 3_625, 3_625],
  ["bigmix", 15_889, 1_044, 0],
  ["metatool", 199, 2_487, 0],
  ["nestful_v1", 133, 205, 205],
  ["restbench", 40, 57, 0],
  ["seal_tools", 4_076, 1_400, 1_400],
  ["toolalpaca", 94, 200, 172],
  ["toolbench", 3_522, 580, 0],
  ["tulip_math", 100, 60, 0],
  ["workbench", 27, 480, 480],
];

/** Number of pairs of level and part in a set; without levels, the part counts as the level. */
const GROUPS: Record<string, number> = {
  apibank: 2,
  bfcl_multiturn: 3,
  bfcl_single: 12,
  bigmix: 1,
  metatool: 2,
  nestful_v1: 2,
  restbench: 1,
  seal_tools: 4,
  toolalpaca: 2,
  toolbench: 4,
  tulip_math: 3,
  workbench: 5,
};

describe("public sets in this form", () => {
  for (const [name, tools, tasks, called] of SETS) {
    const folder = join(BENCH, name);
    it.skipIf(!existsSync(folder))(`are read as a whole: ${name}`, async () => {
      const benchmark = await readBenchmarkFolder(folder);
      expect(benchmark.name).toBe(name);
      expect(benchmark.tools).toHaveLength(tools);
      expect(benchmark.tasks).toHaveLength(tasks);
      expect(benchmark.tasks.filter(({ calls }) => calls)).toHaveLength(called);
      expect(benchmark.argumentRule).toBe(name === "bfcl_single" ? "any-of" : "equal");
      const groups = benchmark.tasks.map(({ level, split = "all" }) => `${level} of ${split}`);
      expect(benchmark.tasks.map(({ level }) => level)).not.toContain("");
      expect(new Set(groups).size).toBe(GROUPS[name]);
    });
  }
});
