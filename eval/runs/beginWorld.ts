import { openWorkspace } from "../../workspace/workspace.js";
import type { WorldDefinition } from "../../tools/runtime/worlds.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import type { RunRequest } from "./runner.js";

/**
 * The world of a benchmark over the benchmark's own data or with its own starts, or the one that answers
 * calls of its tools; undefined where it has none.
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

/** Lets a run begin where its task says; a run that goes on has begun there. */
export async function beginWorld({ threadKey, world }: RunRequest): Promise<void> {
  if (world?.start === undefined) return;
  const { name, start } = world;
  await openWorkspace().runtime.worlds.begin({ name, runId: threadKey, start });
}

/** What a run has changed in its world; nothing where it has none. */
export async function changeIn({
  threadKey,
  world,
}: RunRequest): Promise<{ change?: Record<string, unknown> }> {
  if (world === undefined) return {};
  const { worlds } = openWorkspace().runtime;
  const opened = await worlds.open({ name: world.name, runId: threadKey });
  return { change: opened.change() as Record<string, unknown> };
}
