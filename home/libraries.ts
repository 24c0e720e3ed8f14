import { resolve } from "node:path";
import { InvalidSetting, TulipgraphError, UnknownName } from "../common/errors.js";
import { openEmbeddings } from "../models/embeddings/embeddings.js";
import type { Settings } from "../state/settings.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import type { ConnectionStore } from "../tools/sources/credentials/store.js";
import { isWithoutFile } from "../tools/library/records/edits.js";
import type { LibraryEditor } from "../tools/library/library.js";
import type { Offers } from "../tools/library/libraryOfPerson.js";
import type { LibraryRequest, LibraryStore } from "../tools/library/store.js";
import { isConnectedOrigin, type Behalf } from "../tools/remote.js";
import { WHOLE_FILE } from "../tools/sources/problems.js";
import type { SourceProblem } from "../tools/tool.js";
import { type Import, readOrigin, refreshOrigin, syncReading } from "../tools/sources/origins.js";

export type { Import } from "../tools/sources/origins.js";

/** Receives the parts of a source that could not become tools. */
export type ProblemListener = (problems: readonly SourceProblem[]) => void;

type Opening = { store: LibraryStore; settings: Omit<RunContext, "threadId" | "madeTools"> };

/** The settings that determine a run's tools; without a thread outside a run. */
export type RunContext = Pick<Settings, "library" | "embeddings" | "threadId"> &
  Partial<Pick<Settings, "madeTools"> & Pick<LibraryRequest, "vectorStore">>;

/**
 * Opens a library and brings it up to date with its source files. A shipped catalog becomes a library at first use. If
 * a user's file is gone or unreadable, its tools stay as they were; calling one reports the problem.
 *
 * @param options.onProblems told about unusable parts of files
 * @param options.embed whether new texts are embedded at once, as by default; else the first search does
 * @throws UnknownName for a library that neither exists nor ships
 * @throws LibraryFailed when the catalog itself cannot be read
 */
export async function openLibrary(
  options: Opening & { onProblems?: ProblemListener; embed?: boolean },
): Promise<LibraryEditor> {
  const { store, settings, onProblems, embed } = options;
  const catalog = catalogOf(settings.library);
  if (!catalog && !(await store.describe(settings.library)))
    throw new UnknownName({
      kind: "library",
      wanted: settings.library,
      available: await libraryNames(store),
      hint: "import one with: tulipgraph tools import FILE, or make an empty one with: tulipgraph tools add --library NAME",
    });
  const library = await openNamed({ store, settings, description: catalog?.description });
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
async function refreshOrKeep(place: Parameters<typeof refreshOrigin>[0]) {
  const { library, origin } = place;
  try {
    return await refreshOrigin(place);
  } catch (error) {
    const isOfFile = error instanceof Error && "syscall" in error;
    if (!(error instanceof TulipgraphError || isOfFile)) throw error;
    const ids = library.list().filter(({ source }) => source.file === origin);
    const kept = ids.map(({ id }) => id).join(", ");
    const problem = `${error.message}. Its tools stay as they were (${kept || "it has none"}); once the file is repaired, run: tulipgraph tools import ${origin} --library ${library.name}`;
    return [{ file: origin, line: 1, exportName: WHOLE_FILE, problem }];
  }
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
}): Promise<LibraryEditor> {
  const { store, context } = options;
  const { threadId, madeTools } = context;
  const thread = madeTools === "library" ? undefined : threadId;
  return await openNamed({ store, settings: context, thread });
}

/**
 * A library without what somebody was not granted, and without what its sources, whose credentials are each person's own,
 * do not offer this one. Whoever uses this machine sees all of it.
 */
export async function seenBy(
  seer: Pick<Behalf, "owner" | "caller" | "isGranted"> | undefined,
  library: LibraryEditor,
  connections: () => Promise<ConnectionStore>,
): Promise<LibraryEditor> {
  const knows = seer?.owner && library.origins().some(({ origin }) => isConnectedOrigin(origin));
  const offers: Offers = knows ? await (await connections()).offers(seer) : new Map();
  if (offers.size === 0 && !seer?.isGranted) return library;
  const { libraryOfPerson } = await import("../tools/library/libraryOfPerson.js");
  return libraryOfPerson(library, offers, seer?.isGranted);
}

/** Names of all libraries, including catalogs not used yet. */
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
 * const settings = settingsSchema.parse({ library: "office" });
 * const { added, problems } = await importTools({ store, settings, file: "tools/mail.ts" });
 */
export async function importTools(
  options: Opening & { file: string; description?: string },
): Promise<Import> {
  const { store, settings, file, description } = options;
  const origin = resolve(file);
  // Read first, so that an unusable file leaves no empty library behind.
  const reading = await readOrigin(settings.library, origin);
  const library = await openNamed({ store, settings, description, create: true });
  return await syncReading({ store, library, origin, reading });
}

/**
 * Creates an empty library for tools that models or people will write.
 *
 * @throws InvalidSetting when a library of that name exists
 */
export async function createLibrary(
  options: Opening & { description?: string },
): Promise<LibraryEditor> {
  const { library: name } = options.settings;
  const names = await libraryNames(options.store);
  if (!names.includes(name)) return await openNamed({ ...options, create: true });
  throw new InvalidSetting({
    setting: `library ${name}`,
    problem: "already exists",
    hint: `see its tools with: tulipgraph tools list --library ${name}`,
  });
}

/** Opens a library with the embeddings of a context. */
export async function openNamed(
  options: Opening & {
    description?: string;
    create?: boolean;
    thread?: string;
  },
): Promise<LibraryEditor> {
  const { store, settings, description, thread } = options;
  const { create = description !== undefined } = options;
  const embeddings = await openEmbeddings(settings.embeddings);
  return store.open({
    name: settings.library,
    description,
    thread,
    embeddings,
    embeddingModel: embeddings.name,
    vectorStore: settings.vectorStore,
    create,
  });
}

/** The shipped catalog of this name. */
export function catalogOf(library: string) {
  return Object.hasOwn(CATALOGS, library) ? CATALOGS[library] : undefined;
}
