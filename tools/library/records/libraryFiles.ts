import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Artefacts } from "../../../storage/artefacts/artefacts.js";
import { type DataPlace, fileFolder } from "../../../storage/database.js";
import { closedStore, type Database, openDatabase } from "../../../storage/sqlite/sqlite.js";
import { libraryFolder } from "../vectors/indexCache.js";
import { LIBRARY_MIGRATIONS, LIBRARY_STORE, NUMBERS_EACH } from "./schema.js";

/**
 * Where the rows of libraries are. In a home of files all are in `libraries.db`; with a database, each library is an
 * artefact of its own, a file with the same tables. What a thread has made over a library counts as a library here.
 */
export interface LibraryFiles extends Omit<Artefacts, "remove"> {
  /** Folder for files that are derived from the rows. */
  folder: string;
  isOpen: () => boolean;
  /** The names known last. */
  knownNames: () => string[];
  /** Removes libraries with everything that is derived from them. */
  remove: (libraries: readonly { name: string; number: number }[]) => Promise<void>;
}

export function openLibraryFiles({ home, url }: DataPlace): LibraryFiles {
  return url === undefined ? oneFile(home) : fileEach(home, url);
}

function oneFile(home: string): LibraryFiles {
  const file = join(home, "libraries.db");
  const database = openDatabase({ file, migrations: LIBRARY_MIGRATIONS });
  const knownNames = () =>
    database.prepare("SELECT name FROM libraries ORDER BY name").pluck().all() as string[];
  const write: LibraryFiles["write"] = async (_names, work) => {
    if (!database.open) throw closedStore(file);
    return database.transaction(() => work(() => database)).immediate();
  };
  return {
    folder: home,
    isOpen: () => database.open,
    names: async () => knownNames(),
    knownNames,
    newest: async () => database,
    read: () => database,
    write,
    remove: async (libraries) => {
      await write([], () => {
        const remove = database.prepare("DELETE FROM libraries WHERE number = ?");
        for (const { number } of libraries) remove.run(number);
      });
      removeIndexes(home, libraries);
    },
    refresh: () => undefined,
    close: async () => {
      database.close();
    },
  };
}

function fileEach(home: string, url: string): LibraryFiles {
  const folder = fileFolder({ home, url });
  let isOpen = true;
  let opened: Artefacts | undefined;
  let opening: Promise<Artefacts> | undefined;
  let known: string[] = [];
  // Loaded once needed, because files alone need none of it.
  const open = async () => {
    const { openArtefacts } = await import("../../../storage/artefacts/artefacts.js");
    const { takeOverRows } = await import("./takeOver.js");
    const store = { store: "libraries", migrations: LIBRARY_STORE, prepare: beginNumbers };
    opened ??= openArtefacts({ url, folder, ...store });
    await takeOverRows({ home, url }, opened);
    return opened;
  };
  const artefacts = async () => {
    if (!isOpen) throw closedStore("libraries");
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return await opening;
  };
  return {
    folder,
    isOpen: () => isOpen,
    names: async () => {
      known = await (await artefacts()).names();
      return known;
    },
    knownNames: () => known,
    newest: async (name) => await (await artefacts()).newest(name),
    read: (name) => opened?.read(name),
    write: async (names, work) => await (await artefacts()).write(names, work),
    remove: async (libraries) => {
      await (await artefacts()).remove(libraries.map(({ name }) => name));
      removeIndexes(folder, libraries);
    },
    refresh: () => opened?.refresh(),
    close: async () => {
      isOpen = false;
      // One that failed has told so where it was wanted.
      await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** Numbers differ among artefacts, as among the libraries of one file: a thread's tools are searched with a library's. */
function beginNumbers(database: Database, number: number): void {
  const begin = database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)");
  begin.run("libraries", number - 1);
  for (const table of ["tools", "versions", "adapters"]) begin.run(table, number * NUMBERS_EACH);
}

function removeIndexes(
  folder: string,
  libraries: readonly { name: string; number: number }[],
): void {
  for (const library of libraries)
    rmSync(libraryFolder({ home: folder, library }), { recursive: true, force: true });
}
