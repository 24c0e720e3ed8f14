import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DataPlace } from "../database.js";
import { type Database, StorageFailed, openDatabase } from "../sqlite.js";
import { openMirror } from "./mirror.js";

/** A schema of statements alone: they are derived for Postgres, where a step cannot change rows. */
export type RowMigrations = readonly (readonly string[])[];

/** What a store of rows is made of. */
export interface RowStoreOptions {
  place: DataPlace;
  /** Its name: `<store>.db`, or the schema `tulipgraph_<store>`. */
  store: string;
  migrations: RowMigrations;
  /** Tables that can be computed again: they stay in the file and are emptied with it. */
  caches?: readonly string[];
}

/**
 * Rows that are read synchronously from a SQLite file. Without a database the file is the truth. With one, Postgres
 * is, and the file a mirror of it: searches go on asking nothing but files, at the speed of files.
 */
export interface RowStore {
  /** Where files lie that are made of these rows. */
  folder: string;
  /** Path of the file, for messages. */
  file: string;
  /** The file, to read from and to write caches to. */
  database: Database;
  /** Whether the store is open. */
  isOpen: () => boolean;
  /**
   * Does work in a write transaction, on the rows as they are now, and resolves when all who share them see it. The
   * work must use the handle that it is given, and may be done again.
   *
   * @throws StorageFailed when the database cannot be reached; nothing is written then
   */
  write: <Result>(work: (database: Database) => Result) => Promise<Result>;
  /**
   * Sees to it that what others have written is in the file. While the database is away, the file is read as it is.
   *
   * @param options.maxAgeMs how long ago the database may have been asked
   * @default a second
   * @throws StorageFailed when the database cannot be reached and the file has never been filled
   */
  refresh: (options?: { maxAgeMs?: number }) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens a store of rows.
 *
 * @example
 * const rows = openRows({ place: { home }, store: "memory", migrations: EXPERIENCE_MIGRATIONS });
 * await rows.write((database) => database.prepare("INSERT INTO …").run());
 */
export function openRows(options: RowStoreOptions): RowStore {
  const { place, store } = options;
  const folder = rowFolder(place);
  const file = join(folder, `${store}.db`);
  if (place.url !== undefined) return openMirror({ ...options, url: place.url, folder, file });
  const database = openDatabase({ file, migrations: options.migrations });
  return {
    folder,
    file,
    database,
    isOpen: () => database.open,
    write: async (work) => {
      if (!database.open) throw closedStore(file);
      return database.transaction(() => work(database)).immediate();
    },
    refresh: async () => undefined,
    close: async () => {
      database.close();
    },
  };
}

/**
 * Where the files of a place's rows lie: the home, or below it a folder for each database. The files of a home that
 * had no database before stay as they are.
 */
export function rowFolder({ home, url }: DataPlace): string {
  if (url === undefined) return home;
  const { host, pathname } = new URL(url);
  const name = createHash("sha256").update(`${host}${pathname}`).digest("hex").slice(0, 12);
  return join(home, "mirror", name);
}

export function closedStore(file: string): StorageFailed {
  return new StorageFailed({ file, problem: "is closed", hint: "Open it again" });
}
