import { resolve } from "node:path";
import { InvalidSetting, LibraryFailed, TulipgraphError, UnknownName } from "../common/errors.js";
import { openEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import { estimateTokens } from "../tools/library/embedding.js";
import { isWithoutFile } from "../tools/library/edits.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";
import { toolText } from "../tools/library/toolText.js";
import { catalogFunctions } from "../tools/runtime/catalogFunctions.js";
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

/** Receives what in a source could not become a tool. */
export type ProblemListener = (problems: readonly SourceProblem[]) => void;

type Opening = { store: LibraryStore; context: Pick<Context, "library" | "embeddings"> };

/** What says which tools a run has; no thread where no run is under way. */
export type RunContext = Pick<Context, "library" | "embeddings" | "threadId"> &
  Partial<Pick<Context, "madeTools">>;

/**
 * Opens a library and brings it up to date with the files that its tools come from. A catalogue that
 * ships with the project becomes a library at its first use. The tools of a user's file that is gone or
 * cannot be read stay as they were; a call of one says why it cannot be made.
 *
 * @param options.onProblems told what of a file cannot be used
 * @param options.embed whether new texts are embedded at once, as they are by default; else the first search does
 * @throws UnknownName for a library that neither exists nor ships
 * @throws LibraryFailed when the catalogue itself cannot be read
 */
export async function openLibrary(
  options: Opening & { onProblems?: ProblemListener; embed?: boolean },
): Promise<ToolLibrary> {
  const { store, context, onProblems, embed } = options;
  const catalog = catalogOf(context.library);
  if (!catalog && !store.describe(context.library)) {
    throw new UnknownName({
      kind: "library",
      wanted: context.library,
      available: libraryNames(store),
      hint: "import one with: tulipgraph tools import FILE, or make an empty one with: tulipgraph tools create NAME",
    });
  }
  const library = await open({ store, context, description: catalog?.description });
  const files = library.origins().filter(({ origin }) => !isWithoutFile(origin));
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

/** One unreadable file must not cost the tools of all others. */
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

/** What the file system says of a file that is there and cannot be read. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

/**
 * Opens a library as it is stored, whether or not the files of its tools are still there, and as a run sees
 * it: with the tools that its thread has made, where they do not go to the library itself.
 *
 * @throws UnknownName for a library that does not exist
 */
export async function openStoredLibrary(options: {
  store: LibraryStore;
  context: RunContext;
}): Promise<ToolLibrary> {
  const { store, context } = options;
  const { threadId, madeTools } = context;
  return await open({ store, context, thread: madeTools === "library" ? undefined : threadId });
}

/** Names of the libraries there are, those of catalogues not yet used among them. */
export function libraryNames(store: LibraryStore): string[] {
  return [...new Set([...Object.keys(CATALOGS), ...store.names()])];
}

/**
 * Adds the exported functions of a file, or the declarations of a `.jsonl` file, to a library as tools. Creates
 * the library if missing.
 *
 * @throws InvalidSetting if the file does not exist or is neither
 * @throws LibraryFailed if nothing in the file can be a tool
 */
export async function importTools(
  options: Opening & { file: string; description?: string },
): Promise<Import> {
  const { store, context, file, description } = options;
  const origin = resolve(file);
  // Read first: a file that cannot be used leaves no empty library behind.
  const reading = await readOrigin(context.library, origin);
  const library = await open({ store, context, description, create: true });
  return await syncReading({ store, library, origin, reading });
}

/**
 * Makes an empty library, for tools that models or people will write into it.
 *
 * @throws InvalidSetting when there is a library of that name
 */
export async function createLibrary(
  options: Opening & { description?: string },
): Promise<ToolLibrary> {
  const { store, context } = options;
  const { library: name } = context;
  if (!libraryNames(store).includes(name)) return await open({ ...options, create: true });
  throw new InvalidSetting({
    setting: `library ${name}`,
    problem: "there is one of that name already",
    hint: `see its tools with: tulipgraph tools list --library ${name}`,
  });
}

/** A library that was put together, and how its tools stand to the declarations that were given. */
export interface AssembledLibrary {
  library: ToolLibrary;
  /** Tokens of all its texts, estimated: what embedding it once takes, whether or not it was now. */
  embeddingTokens: number;
  /** Ids of the declarations that have a function; all ids of the library where none were given. */
  bound: string[];
  /** Ids of the declarations that are only described. */
  unbound: string[];
}

/**
 * Makes a library of the tools of a catalogue that ships and, for ids that it lacks, of those that a
 * file declares; what the library had from elsewhere is removed, and so is what models have written
 * into it, so that every evaluation begins with the same tools. Nothing is read or embedded again
 * that is as it was. A library with the name of a catalogue is the catalogue itself, beside whatever
 * users and models have put into it, and declarations are compared with it and not added.
 *
 * @param options.declarations path of a JSONL file, see `tools/sources/declarations.ts`
 * @throws UnknownName for a catalogue that does not ship
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

/**
 * The catalogue that has functions for most of some tools; undefined when none has one. Looks at the
 * names of the exports alone: a catalogue that gives its tools other names has to be asked for.
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
  options: Opening & { description?: string; create?: boolean; thread?: string },
): Promise<ToolLibrary> {
  const { store, context, description, create = description !== undefined, thread } = options;
  return store.open({
    name: context.library,
    description,
    thread,
    embeddings: await openEmbeddings(context.embeddings),
    embeddingModel: context.embeddings,
    create,
  });
}

/** Declarations are read again, too, when a function is gone that had taken the place of one. */
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
