import { join } from "node:path";
import { embeddingDollars } from "../../models/prices.js";
import { acceptForReplay, recordedLibrary } from "../replay/recordedBenchmark.js";
import {
  type AssembledLibrary,
  assembleLibrary,
  ownLibrary,
  withSize,
} from "./assembledLibraries.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { openWorkspace } from "../../home/workspace.js";
import { copyDatabase } from "../../storage/sqlite/sqlite.js";
import { parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { copyFetched } from "../../tools/library/records/copyFetched.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { offerAmong } from "../benchmarks/selectTasks.js";
import { writeWhole } from "../files.js";
import type { LibraryCost } from "../summary/summary.js";
import type { ExperimentDefinition } from "./experiment.js";

/** The embedded libraries of an experiment: what they cost, and the settings they imply for a run. */
interface PreparedLibraries {
  costs: LibraryCost[];
  /** Adds a task's own settings to those of the grid. */
  settingsOf: (task: Task, settings: Record<string, unknown>) => Record<string, unknown>;
}

/**
 * Makes a library of the benchmark's tools for each embedding model of the experiment, and stores the
 * benchmark's experience for it; what is already stored is not added again.
 */
export async function prepareLibraries(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  /** The ids of a library's tools where the runs are made, if that is not here. */
  served?: (library: string) => Promise<string[]>;
}): Promise<PreparedLibraries> {
  const { benchmark, definition, served } = options;
  const models = new Set(
    benchmark.tasks.flatMap((task) =>
      definition.variants.map(
        ({ settings }) =>
          parseSettings({ ...recordedSettings(task), ...definition.settings, ...settings })
            .embeddings,
      ),
    ),
  );
  const costs: LibraryCost[] = [];
  const names = new Map<string, string>();
  const restricted = new Set<string>();
  for (const embeddings of models) {
    const name = libraryName({ benchmark, definition, embeddings, several: models.size > 1 });
    if (served) {
      names.set(embeddings, name);
      if (hasOthers(await served(name), benchmark)) restricted.add(name);
      continue;
    }
    const { library, embeddingTokens } = await libraryFor({
      benchmark,
      definition,
      name,
      embeddings,
    });
    if (benchmark.experience) {
      const pastCalls = Array.from(benchmark.experience(name));
      await (await openWorkspace().experience()).add(pastCalls);
    }
    names.set(embeddings, name);
    const ids = library.list().map(({ id }) => id);
    if (hasOthers(ids, benchmark)) restricted.add(name);
    costs.push({
      library: name,
      embeddings,
      tools: library.size,
      embeddingTokens,
      usd: await embeddingDollars({ embeddings, embeddingTokens }),
    });
  }
  const settingsOf: PreparedLibraries["settingsOf"] = (task, given) => {
    const settings = { ...recordedSettings(task), ...given };
    const library = names.get(parseSettings(settings).embeddings) ?? "";
    const toolIds = offered({ benchmark, definition, task, restricted: restricted.has(library) });
    const { background } = benchmark;
    return {
      ...settings,
      library,
      ...(toolIds ? { toolIds } : {}),
      ...(background === undefined ? {} : { background }),
      ...task.settings,
    };
  };
  return { costs, settingsOf };
}

/** What a recorded run was made with; the settings of the experiment come before it. */
function recordedSettings({ recording }: Task): Record<string, unknown> {
  return recording?.settings ?? {};
}

async function libraryFor(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  name: string;
  embeddings: string;
}): Promise<AssembledLibrary> {
  const { benchmark, definition, name, embeddings } = options;
  const { store, home } = openWorkspace();
  const place = { store, name, embeddings };
  if (benchmark.library !== undefined) {
    const own = await ownLibrary(place);
    if (benchmark.replay && !benchmark.replay.live) await acceptForReplay(own.library);
    return own;
  }
  if (benchmark.replay) return withSize(await recordedLibrary({ ...place, benchmark }));
  const declarations = declarationsOf(benchmark, home);
  return await assembleLibrary({ ...place, catalog: definition.catalog, declarations });
}

const LONGEST_NAME = 64;

function libraryName(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  embeddings: string;
  several: boolean;
}): string {
  const { benchmark, definition, embeddings, several } = options;
  const { catalog, isServed } = definition;
  if (benchmark.library !== undefined) return benchmark.library;
  // A server has the functions of a catalog under its name.
  if (catalog !== undefined && (isServed || benchmark.toolsFile === undefined)) return catalog;
  const name = several ? `${benchmark.name}.${embeddings}` : benchmark.name;
  return Object.hasOwn(CATALOGS, name)
    ? `${name}.benchmark`
    : name.replaceAll(/[^\w.-]/g, "-").slice(0, LONGEST_NAME);
}

/** A catalog may have tools that the benchmark lacks. */
function hasOthers(ids: readonly string[], benchmark: Benchmark): boolean {
  const own = new Set(benchmark.tools.map(({ id }) => id));
  return ids.some((id) => !own.has(id));
}

/** The tools that a run may use; undefined for all of the library. */
function offered(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  task: Task;
  restricted: boolean;
}): string[] | undefined {
  const { benchmark, definition, task, restricted } = options;
  const { others = benchmark.others, seed, shuffled } = definition;
  if (others !== undefined || shuffled)
    return offerAmong({ benchmark, task, others, seed, shuffled });
  return restricted ? benchmark.tools.map(({ id }) => id) : undefined;
}

/**
 * The file that declares the tools of a benchmark: its own, or one written into the home for a generated benchmark
 * whose tools have no functions. Undefined for tools of a catalog, and if there are none.
 */
function declarationsOf(
  { name, tools, toolsFile }: Pick<Benchmark, "name" | "tools" | "toolsFile">,
  home: string,
): string | undefined {
  if (toolsFile !== undefined) return toolsFile;
  if (tools.length === 0 || !tools.every(({ source }) => source.kind === "declared"))
    return undefined;
  const file = join(home, `${name}.jsonl`);
  const lines = tools.map((tool) => `${JSON.stringify(declarationOf(tool))}\n`);
  writeWhole(file, lines.join(""));
  return file;
}

/** A tool as a line of the file (tools/sources/functions/readDeclarations.ts). */
function declarationOf({ source, ...tool }: ToolDefinition) {
  const { id, name, description, parameters, returns, cost, timeoutMs, effects } = tool;
  const world = source.kind === "declared" ? source.world : undefined;
  return { id, name, description, parameters, returns, cost, timeoutMs, effects, world };
}

/**
 * Copies the user's tool libraries with their sources, as they are now, into the SQLite file of another home. If that
 * home already has libraries, they stay.
 *
 * @throws StorageFailed when there are none to copy, or the database cannot be reached
 */
export async function takeLibraries(home: string): Promise<void> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const to = join(home, "libraries.db");
  if (place.url === undefined) copyDatabase({ from: join(place.home, "libraries.db"), to });
  else await copyFetched({ place, to });
}
