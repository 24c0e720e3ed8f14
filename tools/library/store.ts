import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, LibraryFailed, UnknownName } from "../../errors.js";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { type AdapterSummary, listAdapters } from "./adapter/storedAdapters.js";
import { libraryFolder } from "./indexCache.js";
import { type ToolLibrary, toolLibrary } from "./library.js";
import { countTools, type LibraryPlace } from "./records.js";
import { LIBRARY_MIGRATIONS } from "./schema.js";

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
}

/** All tool libraries of one home folder, in the file `libraries.db`. */
export interface LibraryStore {
  /** The names of all libraries, sorted. */
  names: () => string[];
  describe: (name: string) => LibrarySummary | undefined;
  /**
   * @throws UnknownName when there is no such library and it is not to be made
   * @throws InvalidSetting for a name that no library can have
   */
  open: (request: LibraryRequest) => ToolLibrary;
  /**
   * Removes a library with its tools, their history, vectors and indexes.
   *
   * @throws UnknownName when there is no such library
   */
  delete: (name: string) => void;
  /** Closes the file; the store and the libraries opened from it throw LibraryFailed from then on. */
  close: () => void;
}

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Opens the tool libraries of a home folder. SQLite is the only truth; the FAISS indexes below
 * `indexes/` can be deleted at any time. Several processes may work with the same libraries.
 *
 * @param options.home the folder for the data of tulipgraph, made when it is missing
 * @throws StorageFailed when the file is of a newer version or cannot be opened
 */
export function openLibraryStore({ home }: { home: string }): LibraryStore {
  const opened = openDatabase({ file: join(home, "libraries.db"), migrations: LIBRARY_MIGRATIONS });
  const connect = (library: string) => {
    if (opened.open) return opened;
    throw new LibraryFailed({
      library,
      problem: "its store is closed",
      hint: "Open the store again",
    });
  };
  const names = () => libraryNames(connect("(all)"));
  const kept = keptLibraries();
  return {
    names,
    describe: (name) => summaryOf({ database: connect(name), name }),
    open: ({ embeddings, embeddingModel, ...request }) => {
      requireLibraryName(request.name);
      const number = findOrMake({ database: connect(request.name), ...request });
      const { name } = request;
      const make = () => {
        const place = () => placeOf({ database: connect(name), name, number });
        return toolLibrary({ home, name, place, model: { embeddings, name: embeddingModel } });
      };
      return kept({ embeddings, key: `${number} ${embeddingModel}`, make });
    },
    delete: (name) => {
      const { database, library } = placeOf({ database: connect(name), name });
      database.prepare("DELETE FROM libraries WHERE number = ?").run(library);
      const folder = libraryFolder({ home, library: { name, number: library } });
      rmSync(folder, { recursive: true, force: true });
    },
    close: () => {
      opened.close();
    },
  };
}

/** The same library is one handle, since a handle keeps its index in memory. */
function keptLibraries() {
  const handles = new WeakMap<Embeddings, Map<string, ToolLibrary>>();
  return (wanted: { embeddings: Embeddings; key: string; make: () => ToolLibrary }) => {
    const { embeddings, key, make } = wanted;
    const ofModel = handles.get(embeddings) ?? new Map<string, ToolLibrary>();
    const library = ofModel.get(key) ?? make();
    handles.set(embeddings, ofModel.set(key, library));
    return library;
  };
}

function libraryNames(database: Database): string[] {
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
  return { name, ...summary, size: countTools(place), adapters: listAdapters(place) };
}

function findOrMake({
  database,
  name,
  description,
  create = false,
}: { database: Database } & Pick<LibraryRequest, "name" | "description" | "create">): number {
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
  const library = database
    .prepare("SELECT number FROM libraries WHERE name = ? AND number = coalesce(?, number)")
    .pluck()
    .get(name, number ?? null) as number | undefined;
  if (library !== undefined) return { database, library };
  const available = libraryNames(database);
  throw new UnknownName({ kind: "library", wanted: name, available });
}

function requireLibraryName(name: string): void {
  if (LIBRARY_NAME.test(name)) return;
  throw new InvalidSetting({
    setting: "library",
    problem: `"${name}" is not a name for a library`,
    hint: "Use 1 to 64 letters, digits, dots, hyphens and underscores",
  });
}
