import { rmSync } from "node:fs";
import type { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, LibraryFailed } from "../../common/errors.js";
import type { DataPlace } from "../../storage/database.js";
import { openRows, type RowStore } from "../../storage/mirror/rowStore.js";
import type { Database } from "../../storage/sqlite.js";
import { libraryAsOf, type ReadEntries } from "./asOf.js";
import { libraryFolder } from "./indexCache.js";
import type { EmbeddingModel } from "./embedding.js";
import { librarySearch, type ToolLibrary, toolLibrary } from "./library.js";
import {
  deleteLibrary,
  findNumber,
  findOrMake,
  libraryNames,
  type LibrarySummary,
  type MadeTools,
  madeTools,
  nameOfOwn,
  placeOf,
  summaryOf,
  type WriteRows,
} from "./libraryRows.js";
import type { IndexSource } from "./openIndex.js";
import { type BaseLibrary, libraryOfThread, type OwnTools } from "./ownTools.js";
import { type Promotion, promoteTool } from "./promoteTool.js";
import { LIBRARY_MIGRATIONS } from "./schema.js";
import type { SourceRegistry } from "../sources/connected.js";
import { sourceRegistry } from "./sourceRows.js";
import type { ToolRecord } from "../tool.js";

/** Which library to open, and the model with which its tools are found. */
export interface LibraryRequest {
  name: string;
  /** Stored if given. */
  description?: string;
  embeddings: Embeddings;
  /** "provider:name". The vectors of each model are stored separately, so that models can be switched. */
  embeddingModel: string;
  /** Makes the library if there is none of this name. */
  create?: boolean;
  /** Opens it as this thread sees it, with the tools that the thread has made; edits only change those. */
  thread?: string;
  /** Opens it as it was when it was first opened with this map, which keeps note of that. */
  entries?: ReadEntries;
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
  /** The tools that threads have made and still have, by library and thread. */
  made: () => Promise<MadeTools[]>;
  /**
   * Moves a tool that a thread has made, with its versions, into the library itself.
   *
   * @throws UnknownName when there is no such library, or the thread has made no such tool
   * @throws LibraryFailed when the library has a tool of that id, or lacks one that the tool calls
   */
  promote: (promotion: Promotion & Pick<MadeTools, "library" | "thread">) => Promise<ToolRecord>;
  /**
   * Removes a library with its tools, their history, vectors and indexes, and what threads have made over it.
   *
   * @throws UnknownName when there is no such library
   */
  delete: (name: string) => Promise<void>;
  /** Makes open libraries show what others have written, unless the database was asked within the last second. */
  refresh: RowStore["refresh"];
  /** Closes the store; from then on, it and the libraries opened from it throw LibraryFailed. */
  close: () => Promise<void>;
}

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Opens the tool libraries of a home. Only their rows count: the FAISS indexes in `indexes/` can be deleted at any time.
 * Several processes may work with the same libraries.
 *
 * @param place the folder for the data of tulipgraph, made if missing, and the database, if there is one
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
  /** The name that its users know. */
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

/** Keeps one handle for each library and model, because a handle keeps its index in memory. */
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

/** Where the tools of a thread are stored. */
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

function requireLibraryName(name: string): void {
  if (LIBRARY_NAME.test(name)) return;
  throw new InvalidSetting({
    setting: "library",
    problem: `"${name}" is not a name for a library`,
    hint: "Use 1 to 64 letters, digits, dots, hyphens and underscores",
  });
}
