import type { WorldDefinition } from "../../tools/runtime/worlds.js";
import type { Benchmark } from "../benchmarks/benchmark.js";

/**
 * The world of a benchmark over the benchmark's own data, or the one that answers calls of its tools;
 * undefined where it has none.
 */
export async function worldsOf(
  benchmark: Pick<Benchmark, "world" | "answeringWorld">,
): Promise<WorldDefinition[] | undefined> {
  const { world, answeringWorld } = benchmark;
  if (answeringWorld !== undefined) return [answeringWorld];
  if (world === undefined) return undefined;
  const { officeWorld } = await import("../../tools/catalogs/office/world.js");
  const { readOfficeTables } = await import("../../tools/catalogs/office/readTables.js");
  return [officeWorld({ tables: readOfficeTables(world.folder) })];
}
