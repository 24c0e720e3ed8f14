import { embeddingDollars } from "../../models/prices.js";
import { assembleLibrary, ownLibrary } from "./assembledLibraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { offerAmong } from "../benchmarks/selectTasks.js";
import type { LibraryCost } from "../summary/summary.js";
import { declarationsOf } from "./declarationsOf.js";
import type { ExperimentDefinition } from "./experiment.js";

/** Adds a task's own settings to those of the grid. */
type SettingsOf = (task: Task, settings: Record<string, unknown>) => Record<string, unknown>;

/** The embedded libraries of an experiment: what they cost, and the settings they imply for a run. */
interface PreparedLibraries {
  costs: LibraryCost[];
  settingsOf: SettingsOf;
}

/**
 * Makes a library of the benchmark's tools for each embedding model of the experiment, and stores the
 * benchmark's experience for it; what is already stored is not added again.
 */
export async function prepareLibraries(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
}): Promise<PreparedLibraries> {
  const { benchmark, definition } = options;
  const models = new Set(
    definition.variants.map(
      ({ settings }) => parseSettings({ ...definition.settings, ...settings }).embeddings,
    ),
  );
  const costs: LibraryCost[] = [];
  const names = new Map<string, string>();
  const restricted = new Set<string>();
  for (const embeddings of models) {
    const name = libraryName({ benchmark, definition, embeddings, several: models.size > 1 });
    const { library, embeddingTokens } =
      benchmark.library === undefined
        ? await assembleLibrary({
            store: openWorkspace().store,
            name,
            embeddings,
            catalog: definition.catalog,
            declarations: declarationsOf({ benchmark, home: openWorkspace().home }),
          })
        : await ownLibrary({ store: openWorkspace().store, name, embeddings });
    await rememberExperience(benchmark, name);
    names.set(embeddings, name);
    if (hasOthers(library, benchmark)) restricted.add(name);
    costs.push({
      library: name,
      embeddings,
      tools: library.size,
      embeddingTokens,
      usd: await embeddingDollars({ embeddings, embeddingTokens }),
      runs: runsWith(definition, embeddings),
    });
  }
  const settingsOf: SettingsOf = (task, settings) => {
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

async function rememberExperience({ experience }: Benchmark, library: string): Promise<void> {
  if (experience)
    await openWorkspace()
      .experience()
      .add(Array.from(experience(library)));
}

/** Characters of a library's name. */
const LONGEST_NAME = 64;

function libraryName(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  embeddings: string;
  several: boolean;
}): string {
  const { benchmark, definition, embeddings, several } = options;
  const { catalog } = definition;
  if (benchmark.library !== undefined) return benchmark.library;
  if (catalog !== undefined && benchmark.toolsFile === undefined) return catalog;
  const name = several ? `${benchmark.name}.${embeddings}` : benchmark.name;
  return Object.hasOwn(CATALOGS, name) ? `${name}.benchmark` : libraryNameOf(name);
}

/** Replaces what the name of a library may not contain. */
function libraryNameOf(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "-").slice(0, LONGEST_NAME);
}

/** A catalog may have tools that the benchmark lacks. */
function hasOthers(library: ToolLibrary, benchmark: Benchmark): boolean {
  const own = new Set(benchmark.tools.map(({ id }) => id));
  return library.list().some(({ id }) => !own.has(id));
}

/** The tools that a run may use; undefined for all of the library. */
function offered(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  task: Task;
  restricted: boolean;
}): string[] | undefined {
  const { benchmark, definition, task, restricted } = options;
  const { others = benchmark.others, seed } = definition;
  if (others !== undefined) return offerAmong({ benchmark, task, others, seed });
  return restricted ? benchmark.tools.map(({ id }) => id) : undefined;
}

function runsWith(definition: ExperimentDefinition, embeddings: string): number {
  const { variants, tasks, graphs, runs, settings: shared } = definition;
  const using = variants.filter(
    ({ settings }) => parseSettings({ ...shared, ...settings }).embeddings === embeddings,
  );
  return using.length * tasks.length * graphs.length * runs;
}
