import type { WorldDefinition } from "../../tools/runtime/worlds/worlds.js";
import type { Benchmark } from "../benchmarks/benchmark.js";

/**
 * The worlds that replace the shipped ones in runs on a benchmark: the one that answers its declared tools,
 * the one with its own starts, or the office over its own data. Undefined if it brings none.
 */
export async function worldsOf(
  benchmark: Pick<Benchmark, "world" | "startsWorld" | "answeringWorld">,
): Promise<WorldDefinition[] | undefined> {
  const { world, startsWorld, answeringWorld } = benchmark;
  const own = answeringWorld ?? startsWorld;
  if (own !== undefined) return [own];
  if (world?.folder === undefined) return undefined;
  const { officeWorld } = await import("../../tools/catalogs/office/world.js");
  const { readOfficeTables } = await import("../../tools/catalogs/office/readTables.js");
  return [officeWorld({ tables: readOfficeTables(world.folder) })];
}
