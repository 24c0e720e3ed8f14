import { setImmediate as turn } from "node:timers/promises";
import type { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, LibraryFailed, UnknownName } from "../../common/errors.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import { librarySearch, type LibraryEditor, toolLibrary } from "./library.js";
import { type LibraryFiles, openLibraryFiles } from "./records/libraryFiles.js";
import {
  type LibrarySummary,
  type MadeTools,
  type SourceTables,
  type WantedLibrary,
  findLibrary,
  libraryNames,
  madeTools,
  makeLibrary,
  nameOfOwn,
  namesOfMade,
  sourceRegistry,
  summaryOf,
} from "./records/libraryRows.js";
import { type GivenVectorStore, type IndexSource } from "./vectors/vectors.js";
import { storeOfEnvironment } from "./vectors/vectorStore.js";
import { type BaseLibrary, libraryOfThread } from "./ownTools.js";
import { type Promotion, promoteTool } from "./records/editTools.js";
import type { LibraryPlace } from "./records/records.js";
import { LIBRARY_STORE } from "./records/schema.js";
import type { SourceRegistry } from "../remote.js";
import type { ToolRecord } from "../tool.js";

/** Which library to open, and the model with which its tools are found. */
export interface LibraryRequest {
  name: string;
  /** Stored if given. */
  description?: string;
  embeddings: Embeddings;
  /** "provider:name". The vectors of each model are stored separately, so that models can be switched. */
  embeddingModel: string;
  /**
   * Where its vectors are searched.
   *
   * @default what TULIPGRAPH_VECTOR_STORE exports, else FAISS
   */
  vectorStore?: GivenVectorStore | undefined;
  /** Makes the library if there is none of this name. */
  create?: boolean;
  /** Opens it as this thread sees it, with the tools that the thread has made; edits only change those. */
  thread?: string;
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
  open: (request: LibraryRequest) => Promise<LibraryEditor>;
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
  /** From now on, libraries that are opened show what others have written until then, not what was read a second ago. */
  refresh: () => void;
  /** Closes the store; from then on, it and the libraries opened from it throw LibraryFailed. */
  close: () => Promise<void>;
}

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Opens the tool libraries of a home. Only their rows count: the vector stores in `indexes/` can be deleted at any time.
 * Several processes may work with the same libraries.
 *
 * @param place the folder for the data of tulipgraph, made if missing, and the database, if there is one
 * @throws StorageFailed when the file is of a newer version or cannot be opened
 */
export function openLibraryStore(place: DataPlace): LibraryStore {
  const files = openLibraryFiles(place);
  const rows = openStore<SourceTables>({ place, store: "libraries", migrations: LIBRARY_STORE });
  const here = libraryPlaces(files);
  const kept = keptLibraries();
  return {
    names: async () => libraryNames(await here.names()),
    describe: async (name) => {
      const database = await here.newest(name);
      return database && summaryOf(database, name);
    },
    open: async ({ embeddings, embeddingModel, thread, vectorStore: given, ...request }) => {
      requireLibraryName(request.name);
      const vectorStore = given ?? (await storeOfEnvironment());
      const { name } = request;
      const number = await here.findOrMake(request);
      const model = { embeddings, name: embeddingModel };
      const base = kept({
        owner: vectorStore ?? embeddings,
        key: `${number} ${embeddingModel}`,
        make: () => {
          const source = { ...here.source({ name, number }), name, model, vectorStore };
          const layer = librarySearch(source);
          return { layer, library: toolLibrary(layer) };
        },
      });
      if (thread === undefined) return base.library;
      const ownName = nameOfOwn({ name, thread });
      const source = (own: number): IndexSource => ({
        ...here.source({ name: ownName, number: own }),
        name,
        model,
      });
      await here.newest(ownName);
      return libraryOfThread({
        base,
        own: {
          find: () => {
            const own = here.find(ownName);
            return own === undefined ? undefined : source(own);
          },
          make: async () => source(await here.findOrMake({ name: ownName, create: true })),
        },
      });
    },
    sources: sourceRegistry(rows),
    made: async () => {
      const all: MadeTools[] = [];
      for (const name of namesOfMade(await here.names())) {
        await here.newest(name);
        const library = here.find(name);
        if (library === undefined) continue;
        const made = madeTools({ ...here.source({ name, number: library }).place(), name });
        if (made) all.push(made);
      }
      return all;
    },
    promote: async ({ library, thread, ...promotion }) => {
      const names = { from: nameOfOwn({ name: library, thread }), to: library };
      await here.names();
      return await here.write([names.from, names.to], (placeOf) =>
        promoteTool({
          name: library,
          from: placeOf(names.from),
          to: placeOf(names.to),
          ...promotion,
        }),
      );
    },
    delete: async (name) => {
      const names = await here.names();
      const gone = [name, ...namesOfMade(names, name)];
      const numbers = new Map<string, number>();
      for (const each of gone) {
        await here.newest(each);
        const number = here.find(each);
        if (number !== undefined) numbers.set(each, number);
      }
      if (!numbers.has(name)) throw unknownLibrary(name, names);
      await files.remove(Array.from(numbers, ([each, number]) => ({ name: each, number })));
      // From then on, nobody takes it to be there.
      await turn();
    },
    refresh: () => {
      here.forget();
      files.refresh();
    },
    close: async () => {
      await rows.close();
      await files.close();
    },
  };
}

/** Libraries by name, in the files that have them. */
function libraryPlaces(files: LibraryFiles) {
  const requireOpen = (library: string) => {
    if (files.isOpen()) return;
    const problem = "its store is closed";
    throw new LibraryFailed({ library, problem, hint: "Open the store again" });
  };
  /** Read dozens of times in a run, and looked up once in each turn of the event loop. */
  const known = new Map<string, { database?: LibraryPlace["database"]; place?: LibraryPlace }>();
  const placeNow = (name: string): LibraryPlace | undefined => {
    requireOpen(name);
    const database = files.read(name);
    const last = known.get(name);
    if (last?.database === database) return last?.place;
    if (known.size === 0) setImmediate(() => known.clear());
    const place = placeIn(database, name);
    known.set(name, { database, place });
    return place;
  };
  /** Checks the number if given: a library that was deleted and made again is another. */
  const required = (place: LibraryPlace | undefined, name: string, number = place?.library) => {
    if (place && number === place.library) return place;
    throw unknownLibrary(name, files.knownNames());
  };
  const newest = async (name: string) => {
    requireOpen(name);
    return await files.newest(name);
  };
  const write = async <Result>(
    names: readonly string[],
    work: (placeOf: (name: string, number?: number) => LibraryPlace) => Result,
  ): Promise<Result> => {
    requireOpen(names[0] ?? "");
    try {
      return await files.write(names, (databaseOf) =>
        work((name, number) => required(placeIn(databaseOf(name), name), name, number)),
      );
    } finally {
      known.clear();
    }
  };
  return {
    find: (name: string) => placeNow(name)?.library,
    forget: () => known.clear(),
    newest,
    write,
    names: async () => {
      requireOpen("(all)");
      return await files.names();
    },
    /** How one library is read, written and indexed. */
    source: ({ name, number }: { name: string; number: number }) => ({
      home: files.folder,
      place: () => required(placeNow(name), name, number),
      write: async <Result>(work: (place: LibraryPlace) => Result) =>
        await write([name], (placeOf) => work(placeOf(name, number))),
    }),
    findOrMake: async (wanted: WantedLibrary): Promise<number> => {
      const { name, create = false } = wanted;
      const database = await newest(name);
      const found = database && findLibrary(database, name);
      if (found && [undefined, found.description].includes(wanted.description)) return found.number;
      if (!found && !create) throw unknownLibrary(name, await files.names());
      const number = await files.write([name], (databaseOf) => {
        known.delete(name);
        return makeLibrary(databaseOf(name), wanted);
      });
      if (number === undefined) throw unknownLibrary(name, await files.names());
      return number;
    },
  };
}

function placeIn(database: LibraryPlace["database"] | undefined, name: string) {
  const library = database && findLibrary(database, name)?.number;
  return database && library !== undefined ? { database, library } : undefined;
}

function unknownLibrary(wanted: string, names: readonly string[]): UnknownName {
  return new UnknownName({ kind: "library", wanted, available: libraryNames(names) });
}

/** Keeps one handle for each library, model and vector store, because a handle keeps its vectors in memory. */
function keptLibraries() {
  const handles = new WeakMap<Embeddings | GivenVectorStore, Map<string, BaseLibrary>>();
  return (wanted: {
    owner: Embeddings | GivenVectorStore;
    key: string;
    make: () => BaseLibrary;
  }) => {
    const { owner, key, make } = wanted;
    const owned = handles.get(owner) ?? new Map<string, BaseLibrary>();
    const library = owned.get(key) ?? make();
    handles.set(owner, owned.set(key, library));
    return library;
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
