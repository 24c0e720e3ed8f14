import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, LibraryFailed, UnknownName } from "../../common/errors.js";
import type { DataPlace } from "../../storage/database.js";
import { openRows, type RowStore } from "../../storage/mirror/rowStore.js";
import type { Database } from "../../storage/sqlite.js";
import { type AdapterSummary, listAdapters } from "./adapter/storedAdapters.js";
import { libraryAsOf, type ReadEntries } from "./asOf.js";
import { libraryFolder } from "./indexCache.js";
import { type EmbeddingModel } from "./embedding.js";
import { librarySearch, type ToolLibrary, toolLibrary } from "./library.js";
import type { IndexSource } from "./openIndex.js";
import { type BaseLibrary, libraryOfThread, type OwnTools } from "./ownTools.js";
import { type Promotion, promoteTool } from "./promoteTool.js";
import { countTools, type LibraryPlace, listToolIds } from "./records.js";
import { LIBRARY_MIGRATIONS } from "./schema.js";
import type { SourceRegistry } from "../sources/connected.js";
import { sourceRegistry } from "./sourceRows.js";
import { listWeights, type WeightsSummary } from "./storedWeights.js";
import type { ToolRecord } from "../tool.js";

/** What is known of a library without opening it. */
export interface LibrarySummary {
  name: string;
  description: string;
  /** Grows by one with each change of the tools. */
  revision: number;
  /** Number of tools. */
  size: number;
  /** Trained adapters of its search, at most one for each embedding model and length of vectors. */
  adapters: AdapterSummary[];
  /** Weights that were learned for its searches, at most one for each embedding model. */
  weights: WeightsSummary[];
}

/** Which library to open, and the model with which its tools are found. */
export interface LibraryRequest {
  name: string;
  /** Stored when it is given. */
  description?: string;
  embeddings: Embeddings;
  /** "provider:name": the vectors of each model are kept apart, so that models can be switched. */
  embeddingModel: string;
  /** Makes the library when there is none of this name. */
  create?: boolean;
  /** Opens it as this thread sees it: with the tools that it has made, to which alone edits go. */
  thread?: string;
  /** Opens it as it was when it was opened with these first, and notes that where it was not yet. */
  entries?: ReadEntries;
}

/** The tools that a thread has made over a library. */
export interface MadeTools {
  library: string;
  thread: string;
  /** Their ids, in the order in which they were made. */
  tools: string[];
}

/** All tool libraries of one home, in the file `libraries.db` or in Postgres. */
export interface LibraryStore {
  /** The names of all libraries, sorted. */
  names: () => Promise<string[]>;
  describe: (name: string) => Promise<LibrarySummary | undefined>;
  /**
   * @throws UnknownName when there is no such library and it is not to be made
   * @throws InvalidSetting for a name that no library can have
   */
  open: (request: LibraryRequest) => Promise<ToolLibrary>;
  /** The connected sources of the home: MCP servers, OpenAPI documents. */
  sources: SourceRegistry;
  /** What threads have made and have still, in the order of libraries and threads. */
  made: () => Promise<MadeTools[]>;
  /**
   * Moves a tool that a thread has made into the library that it lies over, with its versions.
   *
   * @throws UnknownName when there is no such library, or the thread has made no such tool
   * @throws LibraryFailed when the library has a tool of that id, or lacks one that the tool calls
   */
  promote: (promotion: Promotion & Pick<MadeTools, "library" | "thread">) => Promise<ToolRecord>;
  /**
   * Removes a library with its tools, their history, vectors and indexes, and what threads have made over
   * it.
   *
   * @throws UnknownName when there is no such library
   */
  delete: (name: string) => Promise<void>;
  /**
   * Brings what libraries that are open show up to date with what others have written, if the database was not asked
   * within the last second.
   */
  refresh: RowStore["refresh"];
  /** Closes the file; the store and the libraries opened from it throw LibraryFailed from then on. */
  close: () => Promise<void>;
}

/** Stands between a library and a thread in the name under which the thread's own tools are kept. */
const OF_THREAD = "@";

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Opens the tool libraries of a home. Their rows are the only truth; the FAISS indexes below `indexes/` can be deleted
 * at any time. Several processes may work with the same libraries.
 *
 * @param place the folder for the data of tulipgraph, made when it is missing, and the database, if there is one
 * @throws StorageFailed when the file is of a newer version or cannot be opened
 */
export function openLibraryStore(place: DataPlace): LibraryStore {
  const rows = openRows({ place, store: "libraries", migrations: LIBRARY_MIGRATIONS });
  const connect = (library: string) => {
    if (rows.isOpen()) return rows.database;
    throw closedLibrary(library);
  };
  const newest = async (library = "(all)") => {
    connect(library);
    await rows.refresh();
    return connect(library);
  };
  const write: WriteRows = async (library, work) => {
    connect(library);
    return await rows.write(work);
  };
  const kept = keptLibraries();
  return {
    names: async () => libraryNames(await newest()),
    describe: async (name) => summaryOf({ database: await newest(name), name }),
    open: async ({ embeddings, embeddingModel, thread, entries, ...request }) => {
      requireLibraryName(request.name);
      const { name } = request;
      const number = await findOrMake({ database: await newest(name), write, ...request });
      const model = { embeddings, name: embeddingModel };
      const live = kept({
        embeddings,
        key: `${number} ${embeddingModel}`,
        make: () => {
          const source = sourceOf({ ...rows, connect, write, library: name, name, number });
          const layer = librarySearch({ ...source, model });
          return { layer, library: toolLibrary(layer) };
        },
      });
      const { library, layer } = live;
      const { place } = layer.source;
      const base = entries ? { layer, library: libraryAsOf({ library, place, entries }) } : live;
      if (thread === undefined) return base.library;
      const own = ownTools({ folder: rows.folder, connect, write, name, thread, model });
      return libraryOfThread({ base, own });
    },
    sources: sourceRegistry({ read: newest, write: (work) => write("(all)", work) }),
    made: async () => madeTools(await newest()),
    promote: async ({ library, thread, ...promotion }) =>
      await write(library, (database) =>
        promoteTool({
          name: library,
          from: placeOf({ database, name: nameOfOwn({ name: library, thread }) }),
          to: placeOf({ database, name: library }),
          ...promotion,
        }),
      ),
    delete: async (name) => {
      const number = await write(name, (database) => deleteLibrary({ database, name }));
      const folder = libraryFolder({ home: rows.folder, library: { name, number } });
      rmSync(folder, { recursive: true, force: true });
    },
    refresh: rows.refresh,
    close: rows.close,
  };
}

/** Does work in a write transaction, for a library that is named to whoever reads why it failed. */
type WriteRows = <Result>(library: string, work: (database: Database) => Result) => Promise<Result>;

function closedLibrary(library: string): LibraryFailed {
  return new LibraryFailed({
    library,
    problem: "its store is closed",
    hint: "Open the store again",
  });
}

/** How one library is read, written and indexed. */
function sourceOf(options: {
  folder: string;
  connect: (library: string) => Database;
  write: WriteRows;
  /** Its name to those who use it. */
  library: string;
  /** Its name in the table. */
  name: string;
  number: number;
}): Omit<IndexSource, "model"> {
  const { folder, connect, write, library, name, number } = options;
  return {
    home: folder,
    name: library,
    place: () => placeOf({ database: connect(library), name, number }),
    write: async (work) =>
      await write(library, (database) => work(placeOf({ database, name, number }))),
  };
}

/** Removes a library and what threads have made over it; gives its number. */
function deleteLibrary({ database, name }: { database: Database; name: string }): number {
  const { library } = placeOf({ database, name });
  for (const own of namesOfOwn(database).filter((each) => each.startsWith(name + OF_THREAD))) {
    database.prepare("DELETE FROM libraries WHERE name = ?").run(own);
  }
  database.prepare("DELETE FROM libraries WHERE number = ?").run(library);
  return library;
}

/** The same library is one handle, since a handle keeps its index in memory. */
function keptLibraries() {
  const handles = new WeakMap<Embeddings, Map<string, BaseLibrary>>();
  return (wanted: { embeddings: Embeddings; key: string; make: () => BaseLibrary }) => {
    const { embeddings, key, make } = wanted;
    const ofModel = handles.get(embeddings) ?? new Map<string, BaseLibrary>();
    const library = ofModel.get(key) ?? make();
    handles.set(embeddings, ofModel.set(key, library));
    return library;
  };
}

/** Where the tools of a thread lie: like a library, under a name that no library can have. */
function ownTools(options: {
  folder: string;
  connect: (library: string) => Database;
  write: WriteRows;
  name: string;
  thread: string;
  model: EmbeddingModel;
}): OwnTools {
  const { connect, write, name: library, model } = options;
  const name = nameOfOwn(options);
  const source = (number: number) => ({
    ...sourceOf({ ...options, library, name, number }),
    model,
  });
  return {
    find: () => {
      const number = findNumber({ database: connect(library), name });
      return number === undefined ? undefined : source(number);
    },
    make: async () =>
      source(await findOrMake({ database: connect(library), write, name, create: true })),
  };
}

function nameOfOwn({ name, thread }: { name: string; thread: string }): string {
  return name + OF_THREAD + thread;
}

function madeTools(database: Database): MadeTools[] {
  return namesOfOwn(database).flatMap((name) => {
    const tools = listToolIds(placeOf({ database, name }));
    // No library has this sign in its name, and threads may.
    const at = name.indexOf(OF_THREAD);
    const made = { library: name.slice(0, at), thread: name.slice(at + 1), tools };
    return tools.length > 0 ? [made] : [];
  });
}

function libraryNames(database: Database): string[] {
  return allNames(database).filter((name) => !name.includes(OF_THREAD));
}

function namesOfOwn(database: Database): string[] {
  return allNames(database).filter((name) => name.includes(OF_THREAD));
}

function allNames(database: Database): string[] {
  return database.prepare("SELECT name FROM libraries ORDER BY name").pluck().all() as string[];
}

function summaryOf({
  database,
  name,
}: {
  database: Database;
  name: string;
}): LibrarySummary | undefined {
  const row = database
    .prepare("SELECT number, description, revision FROM libraries WHERE name = ?")
    .get(name) as { number: number; description: string; revision: number } | undefined;
  if (!row) return undefined;
  const { number, ...summary } = row;
  const place = { database, library: number };
  return {
    name,
    ...summary,
    size: countTools(place),
    adapters: listAdapters(place),
    weights: listWeights(place),
  };
}

type Wanted = Pick<LibraryRequest, "name" | "description" | "create">;

/** Writes only where there is something to write. */
async function findOrMake({
  database,
  write,
  ...wanted
}: { database: Database; write: WriteRows } & Wanted): Promise<number> {
  const { name, description, create = false } = wanted;
  const known = database
    .prepare("SELECT number, description FROM libraries WHERE name = ?")
    .get(name) as { number: number; description: string } | undefined;
  if (known && (description ?? known.description) === known.description) return known.number;
  if (!known && !create) return placeOf({ database, name }).library;
  return await write(name, (now) => makeLibrary({ database: now, ...wanted }));
}

function makeLibrary({
  database,
  name,
  description,
  create = false,
}: { database: Database } & Wanted): number {
  if (create) {
    database
      .prepare(
        `INSERT INTO libraries (name, description, revision, content) VALUES (?, ?, 0, ?)
         ON CONFLICT (name) DO NOTHING`,
      )
      .run(name, description ?? "", randomUUID());
  }
  const { library } = placeOf({ database, name });
  if (description !== undefined) {
    database
      .prepare("UPDATE libraries SET description = ? WHERE number = ? AND description <> ?")
      .run(description, library, description);
  }
  return library;
}

/**
 * Finds a library by its name, and by its number too where it was opened before: one that was deleted
 * and made again is another.
 */
function placeOf({
  database,
  name,
  number,
}: {
  database: Database;
  name: string;
  number?: number;
}): LibraryPlace {
  const library = findNumber({ database, name });
  if (library !== undefined && (number ?? library) === library) return { database, library };
  const available = libraryNames(database);
  throw new UnknownName({ kind: "library", wanted: name, available });
}

function findNumber({ database, name }: { database: Database; name: string }): number | undefined {
  return database.prepare("SELECT number FROM libraries WHERE name = ?").pluck().get(name) as
    | number
    | undefined;
}

function requireLibraryName(name: string): void {
  if (LIBRARY_NAME.test(name)) return;
  throw new InvalidSetting({
    setting: "library",
    problem: `"${name}" is not a name for a library`,
    hint: "Use 1 to 64 letters, digits, dots, hyphens and underscores",
  });
}
