import { randomUUID } from "node:crypto";
import { UnknownName } from "../../common/errors.js";
import type { Database } from "../../storage/sqlite.js";
import { type AdapterSummary, listAdapters } from "./adapter/storedAdapters.js";
import { countTools, type LibraryPlace, listToolIds } from "./records.js";

// The table of libraries. The tools that a thread has made over a library are a library of their own there, under a
// name that no other library can have.

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

/** The tools that a thread has made over a library. */
export interface MadeTools {
  library: string;
  thread: string;
  /** Their ids, in the order in which they were made. */
  tools: string[];
}

/** The names of all libraries, sorted. */
export function libraryNames(database: Database): string[] {
  return allNames(database).filter((name) => !name.includes(OF_THREAD));
}

/** What is known of a library; undefined if there is none of that name. */
export function summaryOf({
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
  };
}

/** Does work in a write transaction; errors name the library. */
export type WriteRows = <Result>(
  library: string,
  work: (database: Database) => Result,
) => Promise<Result>;

interface WantedLibrary {
  name: string;
  description?: string;
  create?: boolean;
}

/**
 * Finds a library and returns its number. Makes it or changes its description first, if that is wanted and needed.
 *
 * @throws UnknownName when there is no such library and it is not to be made
 */
export async function findOrMake({
  database,
  write,
  ...wanted
}: { database: Database; write: WriteRows } & WantedLibrary): Promise<number> {
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
}: { database: Database } & WantedLibrary): number {
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

/** Removes a library and what threads have made over it, and returns its number. */
export function deleteLibrary({ database, name }: { database: Database; name: string }): number {
  const { library } = placeOf({ database, name });
  for (const own of namesOfOwn(database).filter((each) => each.startsWith(name + OF_THREAD))) {
    database.prepare("DELETE FROM libraries WHERE name = ?").run(own);
  }
  database.prepare("DELETE FROM libraries WHERE number = ?").run(library);
  return library;
}

/** What threads have made over libraries. */
export function madeTools(database: Database): MadeTools[] {
  return namesOfOwn(database).flatMap((name) => {
    const tools = listToolIds(placeOf({ database, name }));
    // The first one separates: no library has it in its name, but a thread may.
    const at = name.indexOf(OF_THREAD);
    const made = { library: name.slice(0, at), thread: name.slice(at + 1), tools };
    return tools.length > 0 ? [made] : [];
  });
}

/** The name under which the tools of a thread are stored. */
export function nameOfOwn({ name, thread }: { name: string; thread: string }): string {
  return name + OF_THREAD + thread;
}

/** Separates the library from the thread in such a name. */
const OF_THREAD = "@";

function namesOfOwn(database: Database): string[] {
  return allNames(database).filter((name) => name.includes(OF_THREAD));
}

function allNames(database: Database): string[] {
  return database.prepare("SELECT name FROM libraries ORDER BY name").pluck().all() as string[];
}

/**
 * Finds a library by its name, and checks its number if given: a library that was deleted and made again is another.
 *
 * @throws UnknownName when there is no such library
 */
export function placeOf({
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

/** The number of a library; undefined if there is none of that name. */
export function findNumber({
  database,
  name,
}: {
  database: Database;
  name: string;
}): number | undefined {
  return database.prepare("SELECT number FROM libraries WHERE name = ?").pluck().get(name) as
    | number
    | undefined;
}
