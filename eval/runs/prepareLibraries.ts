import { join } from "node:path";
import { estimateTokens } from "../../common/tokens.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { catalogOf, openLibrary, openNamed } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { embeddingDollars } from "../../models/prices.js";
import { copyDatabase } from "../../storage/sqlite/sqlite.js";
import { parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { catalogFunctions } from "../../tools/calls/functions/catalogFunctions.js";
import { copyFetched } from "../../tools/library/records/copyFetched.js";
import { RECORDED_ORIGIN } from "../../tools/library/records/edits.js";
import { canonicalJson, definitionHash, sha256 } from "../../tools/library/records/hash.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import { toolText } from "../../tools/library/vectors/embedding.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { catalogTools } from "../benchmarks/shipped.js";
import { offerAmong } from "../benchmarks/selectTasks.js";
import { acceptForReplay } from "../replay/recordedBenchmark.js";
import type { LibraryCost } from "./experimentFolder.js";
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
    const library = await libraryFor({ benchmark, definition, name, embeddings });
    if (benchmark.experience) {
      const pastCalls = Array.from(benchmark.experience(name));
      await (await openWorkspace().experience()).add(pastCalls);
    }
    names.set(embeddings, name);
    // Of all its texts once, even if they were embedded before.
    const embeddingTokens = estimateTokens([...new Set(library.list().map(toolText))]);
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

/** The user's own library, or that of a catalog; else one of the benchmark's tools, and no others. */
async function libraryFor(options: {
  benchmark: Benchmark;
  definition: ExperimentDefinition;
  name: string;
  embeddings: string;
}): Promise<LibraryEditor> {
  const { benchmark, definition, name, embeddings } = options;
  const { store } = openWorkspace();
  const settings = { library: name, embeddings };
  if (benchmark.library !== undefined || catalogOf(name)) {
    const library = await openLibrary({ store, settings });
    if (benchmark.replay && !benchmark.replay.live) await acceptForReplay(library);
    return library;
  }
  const description = benchmark.replay?.about;
  const library = await openNamed({ store, settings, description, create: true });
  for (const { origin } of library.origins())
    if (origin !== RECORDED_ORIGIN) await library.removeOrigin(origin);
  const ready = await catalogTools(definition.catalog ?? "");
  const functions = new Map(ready.map((tool) => [tool.id, tool]));
  const tools = benchmark.tools.map((tool) => functions.get(tool.id) ?? tool);
  const fingerprint = sha256(canonicalJson(tools.map(definitionHash)));
  await library.sync({ origin: RECORDED_ORIGIN, fingerprint, tools });
  return library;
}

/** The catalog with functions for most of these tools, by their names; undefined if none has any. */
export async function bestCatalog(names: readonly string[]): Promise<string | undefined> {
  const wanted = new Set(names);
  let best: { catalog: string; count: number } | undefined;
  for (const catalog of Object.keys(CATALOGS)) {
    const functions = await catalogFunctions(catalog);
    const count = [...functions.keys()].filter((name) => wanted.has(name)).length;
    if (count > (best?.count ?? 0)) best = { catalog, count };
  }
  return best?.catalog;
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

/** The library of a server may have tools that the benchmark lacks. */
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
