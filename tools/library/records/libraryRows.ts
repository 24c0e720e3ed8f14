import { randomUUID } from "node:crypto";
import type { Database } from "../../../storage/sqlite/sqlite.js";
import { type AdapterSummary, listAdapters } from "../adapter/storedAdapters.js";
import { countTools, type LibraryPlace, listToolIds } from "./records.js";
import { WORD_FORM } from "../words/words.js";
import type { Store } from "../../../storage/database.js";
import type { ConnectedSource, SourceRegistry } from "../../remote.js";

// The table of libraries. The tools that a thread has made over a library are a library of their own there, under a
// name that no other library can have.

/** What is known of a library without opening it. */
export interface LibrarySummary {
  name: string;
  description: string;
  /** Grows by one with each change of the tools. */
  revision: number;
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

/** The names that are those of libraries, not of what threads have made over them. */
export function libraryNames(names: readonly string[]): string[] {
  return names.filter((name) => !name.includes(OF_THREAD));
}

/** What is known of a library; undefined if there is none of that name. */
export function summaryOf(database: Database, name: string): LibrarySummary | undefined {
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

/** A library to be found, made or described anew. */
export interface WantedLibrary {
  name: string;
  description?: string;
  create?: boolean;
}

/** Makes a library if that is wanted, and describes it; undefined if there is none. Must run in a write transaction. */
export function makeLibrary(
  database: Database,
  { name, description, create = false }: WantedLibrary,
): number | undefined {
  if (create) {
    database
      .prepare(
        `INSERT INTO libraries (name, description, revision, content, words) VALUES (?, ?, 0, ?, ?)
         ON CONFLICT (name) DO NOTHING`,
      )
      .run(name, description ?? "", randomUUID(), WORD_FORM);
  }
  const library = findLibrary(database, name)?.number;
  if (library !== undefined && description !== undefined) {
    database
      .prepare("UPDATE libraries SET description = ? WHERE number = ? AND description <> ?")
      .run(description, library, description);
  }
  return library;
}

/** The names of what threads have made over a library, or over all. */
export function namesOfMade(names: readonly string[], library = ""): string[] {
  return names.filter(
    (name) => name.includes(OF_THREAD) && name.startsWith(`${library}${library && OF_THREAD}`),
  );
}

/** What is stored under such a name; undefined if the thread has none of its tools any more. */
export function madeTools({
  name,
  ...place
}: LibraryPlace & { name: string }): MadeTools | undefined {
  const tools = listToolIds(place);
  // The first one separates: no library has it in its name, but a thread may.
  const at = name.indexOf(OF_THREAD);
  return tools.length > 0
    ? { library: name.slice(0, at), thread: name.slice(at + 1), tools }
    : undefined;
}

/** The name under which the tools of a thread are stored. */
export function nameOfOwn({ name, thread }: { name: string; thread: string }): string {
  return name + OF_THREAD + thread;
}

/** Separates the library from the thread in such a name. */
const OF_THREAD = "@";

/** The row of a library; undefined if there is none of that name. */
export function findLibrary(database: Database, name: string) {
  return database.prepare("SELECT number, description FROM libraries WHERE name = ?").get(name) as
    | { number: number; description: string }
    | undefined;
}

/** The table of connected sources, beside the libraries. */
export interface SourceTables {
  sources: Pick<ConnectedSource, "name" | "kind"> & { settings: string; listed: string | null };
}

/** The connected sources of a home. */
export function sourceRegistry({ db }: Store<SourceTables>): SourceRegistry {
  const select = db.selectFrom("sources").selectAll();
  return {
    list: async () => (await select.orderBy("name").execute()).map(sourceOf),
    async get(name) {
      const found = await select.where("name", "=", name).executeTakeFirst();
      return found && sourceOf(found);
    },
    async put({ name, kind, settings, listed }) {
      const row = {
        kind,
        settings: JSON.stringify(settings),
        listed: listed === undefined ? null : JSON.stringify(listed),
      };
      await db
        .insertInto("sources")
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
    },
    async remove(name) {
      await db.deleteFrom("sources").where("name", "=", name).execute();
    },
  };
}

function sourceOf({ name, kind, settings, listed }: SourceTables["sources"]): ConnectedSource {
  return {
    name,
    kind,
    settings: JSON.parse(settings),
    ...(listed !== null && { listed: JSON.parse(listed) }),
  };
}
