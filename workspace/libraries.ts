import { resolve } from "node:path";
import { InvalidSetting, LibraryFailed, TulipgraphError, UnknownName } from "../common/errors.js";
import { openEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import { estimateTokens } from "../tools/library/embedding.js";
import { isWithoutFile } from "../tools/library/edits.js";
import type { ReadEntries } from "../tools/library/asOf.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";
import { toolText } from "../tools/library/toolText.js";
import { catalogFunctions } from "../tools/runtime/catalogFunctions.js";
import { isConnectedOrigin } from "../tools/sources/connected.js";
import { WHOLE_FILE } from "../tools/sources/problems.js";
import type { SourceProblem } from "../tools/tool.js";
import {
  type Import,
  type OriginReading,
  isDeclared,
  readOrigin,
  refreshOrigin,
  syncReading,
} from "./origins.js";

export type { Import } from "./origins.js";

/** Receives the parts of a source that could not become tools. */
export type ProblemListener = (problems: readonly SourceProblem[]) => void;

type Opening = { store: LibraryStore; context: Pick<Context, "library" | "embeddings"> };

/** The settings that determine a run's tools; without a thread outside a run. */
export type RunContext = Pick<Context, "library" | "embeddings" | "threadId"> &
  Partial<Pick<Context, "madeTools">>;

/**
 * Opens a library and brings it up to date with its source files. A shipped catalogue becomes a library at
 * first use. If a user's file is gone or unreadable, its tools stay as they were; calling one reports the
 * problem.
 *
 * @param options.onProblems told about unusable parts of files
 * @param options.embed whether new texts are embedded at once, as by default; else the first search does
 * @throws UnknownName for a library that neither exists nor ships
 * @throws LibraryFailed when the catalogue itself cannot be read
 */
export async function openLibrary(
  options: Opening & { onProblems?: ProblemListener; embed?: boolean },
): Promise<ToolLibrary> {
  const { store, context, onProblems, embed } = options;
  const catalog = catalogOf(context.library);
  if (!catalog && !(await store.describe(context.library))) {
    throw new UnknownName({
      kind: "library",
      wanted: context.library,
      available: await libraryNames(store),
      hint: "import one with: tulipgraph tools import FILE, or make an empty one with: tulipgraph tools create NAME",
    });
  }
  const library = await open({ store, context, description: catalog?.description });
  const files = library
    .origins()
    .filter(({ origin }) => !isWithoutFile(origin) && !isConnectedOrigin(origin));
  const origins = new Set(files.map(({ origin }) => origin));
  if (catalog) origins.add(catalog.file);
  for (const origin of origins) {
    const problems =
      origin === catalog?.file
        ? await refreshOrigin({ store, library, origin, embed })
        : await refreshOrKeep({ store, library, origin, embed });
    if (problems.length > 0) onProblems?.(problems);
  }
  return library;
}

/** One unreadable file must not affect the tools of the others. */
async function refreshOrKeep(
  place: Parameters<typeof refreshOrigin>[0],
): Promise<readonly SourceProblem[]> {
  const { library, origin } = place;
  try {
    return await refreshOrigin(place);
  } catch (error) {
    if (!(error instanceof TulipgraphError || isFileError(error))) throw error;
    const ids = library.list().filter(({ source }) => source.file === origin);
    const kept = ids.map(({ id }) => id).join(", ");
    const problem = `${error.message}. Its tools stay as they were (${kept || "it has none"}); once the file is whole again: tulipgraph tools import ${origin} --library ${library.name}`;
    return [{ file: origin, line: 1, exportName: WHOLE_FILE, problem }];
  }
}

/** Whether it is the file system's error for an unreadable file. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

/**
 * Opens a library as stored, even if its source files are gone, and as a run sees it: with the tools its thread
 * has made, if these are kept outside the library.
 *
 * @throws UnknownName for a library that does not exist
 */
export async function openStoredLibrary(options: {
  store: LibraryStore;
  context: RunContext;
  entries?: ReadEntries;
}): Promise<ToolLibrary> {
  const { store, context, entries } = options;
  const { threadId, madeTools } = context;
  const thread = madeTools === "library" ? undefined : threadId;
  return await open({ store, context, thread, entries });
}

/** Names of all libraries, including catalogues not used yet. */
export async function libraryNames(store: LibraryStore): Promise<string[]> {
  return [...new Set([...Object.keys(CATALOGS), ...(await store.names())])];
}

/**
 * Adds the exported functions of a file, or the declarations of a `.jsonl` file, to a library as tools. Creates
 * the library if missing.
 *
 * @throws InvalidSetting if the file does not exist or is neither
 * @throws LibraryFailed if nothing in the file can be a tool
 *
 * @example
 * const { store } = openWorkspace();
 * const context = { library: "office", embeddings: "local:sentence-encoder" };
 * const { added, problems } = await importTools({ store, context, file: "tools/mail.ts" });
 */
export async function importTools(
  options: Opening & { file: string; description?: string },
): Promise<Import> {
  const { store, context, file, description } = options;
  const origin = resolve(file);
  // Read first, so that an unusable file leaves no empty library behind.
  const reading = await readOrigin(context.library, origin);
  const library = await open({ store, context, description, create: true });
  return await syncReading({ store, library, origin, reading });
}

/**
 * Creates an empty library for tools that models or people will write.
 *
 * @throws InvalidSetting when a library of that name exists
 */
export async function createLibrary(
  options: Opening & { description?: string },
): Promise<ToolLibrary> {
  const { store, context } = options;
  const { library: name } = context;
  if (!(await libraryNames(store)).includes(name)) return await open({ ...options, create: true });
  throw new InvalidSetting({
    setting: `library ${name}`,
    problem: "there is one of that name already",
    hint: `see its tools with: tulipgraph tools list --library ${name}`,
  });
}

/** An assembled library, and how its tools relate to the given declarations. */
export interface AssembledLibrary {
  library: ToolLibrary;
  /** Estimated tokens for embedding all its texts once, even if they were embedded before. */
  embeddingTokens: number;
  /** Ids of the declarations with a function; all ids of the library if no declarations were given. */
  bound: string[];
  /** Ids of the declarations without a function. */
  unbound: string[];
}

/**
 * Assembles a library from a shipped catalogue and, for ids missing there, from a file of declarations. Tools
 * from elsewhere and tools written by models are removed, so that every evaluation starts with the same tools.
 * Unchanged parts are not read or embedded again. A library named like a catalogue is the catalogue itself plus
 * what users and models have added; declarations are then only compared with it.
 *
 * @param options.declarations path of a JSONL file; see `tools/sources/readDeclarations.ts`
 * @throws UnknownName for an unknown catalogue
 * @throws InvalidSetting when the file does not exist
 * @throws LibraryFailed when a line of it cannot be a tool
 */
export async function assembleLibrary(options: {
  store: LibraryStore;
  name: string;
  embeddings: string;
  catalogue?: string;
  declarations?: string;
}): Promise<AssembledLibrary> {
  const { store, name, embeddings, catalogue, declarations } = options;
  const context = { library: name, embeddings };
  const file = catalogue === undefined ? undefined : requireCatalog(catalogue).file;
  const declared =
    declarations === undefined
      ? undefined
      : { origin: resolve(declarations), reading: await readOrigin(name, resolve(declarations)) };
  requireAll(name, declared?.reading.problems ?? []);
  const library = catalogOf(name)
    ? await openLibrary({ store, context })
    : await putTogether({ store, context, file, declared });
  const tools = library.list();
  const functions = new Set(tools.filter((tool) => !isDeclared(tool)).map(({ id }) => id));
  const ids = (declared?.reading.tools ?? tools).map(({ id }) => id);
  return {
    library,
    embeddingTokens: estimateTokens([...new Set(tools.map(toolText))]),
    bound: ids.filter((id) => functions.has(id)),
    unbound: ids.filter((id) => !functions.has(id)),
  };
}

/** A library of the user's as it stands, in the form of an assembled one. */
export async function ownLibrary(options: {
  store: LibraryStore;
  name: string;
  embeddings: string;
}): Promise<AssembledLibrary> {
  const { store, name, embeddings } = options;
  const library = await openLibrary({ store, context: { library: name, embeddings } });
  const tools = library.list();
  const embeddingTokens = estimateTokens([...new Set(tools.map(toolText))]);
  return { library, embeddingTokens, bound: tools.map(({ id }) => id), unbound: [] };
}

/**
 * The catalogue with functions for most of these tools; undefined if none has any. Only compares names of
 * exports, so a catalogue whose tools have other names must be named explicitly.
 */
export async function bestCatalogue(names: readonly string[]): Promise<string | undefined> {
  const wanted = new Set(names);
  let best: { catalog: string; count: number } | undefined;
  for (const catalog of Object.keys(CATALOGS)) {
    const functions = await catalogFunctions({ catalog });
    const count = [...functions.keys()].filter((name) => wanted.has(name)).length;
    if (count > (best?.count ?? 0)) best = { catalog, count };
  }
  return best?.catalog;
}

async function open(
  options: Opening & {
    description?: string;
    create?: boolean;
    thread?: string;
    entries?: ReadEntries;
  },
): Promise<ToolLibrary> {
  const { store, context, description, thread, entries } = options;
  const { create = description !== undefined } = options;
  const embeddings = await openEmbeddings(context.embeddings);
  return store.open({
    name: context.library,
    description,
    thread,
    entries,
    embeddings,
    embeddingModel: embeddings.name,
    create,
  });
}

/** Declarations are also read again if a function that had replaced one is gone. */
async function putTogether(
  options: Opening & {
    file: string | undefined;
    declared: { origin: string; reading: OriginReading } | undefined;
  },
): Promise<ToolLibrary> {
  const { store, context, file, declared } = options;
  const library = await open({ store, context, create: true });
  const wanted = [file, declared?.origin];
  for (const { origin } of library.origins()) {
    if (!wanted.includes(origin)) await library.removeOrigin(origin);
  }
  for (const origin of wanted) {
    if (origin === undefined) continue;
    requireAll(context.library, await refreshOrigin({ store, library, origin }));
  }
  const present = new Set(library.list().map(({ id }) => id));
  if (declared?.reading.tools.some(({ id }) => !present.has(id))) {
    await syncReading({ store, library, ...declared });
  }
  return library;
}

/** @throws LibraryFailed with the first problem */
function requireAll(library: string, problems: readonly SourceProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const problem = `${first.file}:${first.line}: ${first.problem}${more}`;
  throw new LibraryFailed({ library, problem });
}

function requireCatalog(catalogue: string) {
  const catalog = catalogOf(catalogue);
  if (catalog) return catalog;
  throw new UnknownName({
    kind: "catalogue",
    wanted: catalogue,
    available: Object.keys(CATALOGS),
  });
}

function catalogOf(library: string) {
  return Object.hasOwn(CATALOGS, library) ? CATALOGS[library] : undefined;
}
