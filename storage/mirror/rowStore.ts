import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DataPlace } from "../database.js";
import { type Database, closedStore, openDatabase } from "../sqlite.js";
import type { MirrorOptions } from "./mirror.js";

/** A schema of plain statements, from which the tables in Postgres are derived; no step can change rows there. */
export type RowMigrations = readonly (readonly string[])[];

/** Settings of a store of rows. */
export interface RowStoreOptions {
  place: DataPlace;
  /** Its name: the file is `<store>.db`, the schema `tulipgraph_<store>`. */
  store: string;
  migrations: RowMigrations;
  /** Tables that can be computed again. They are not mirrored, and emptied when the mirror is filled from scratch. */
  caches?: readonly string[];
}

/**
 * Rows that are read synchronously from a SQLite file. Without a database, the file holds the data. With one, Postgres
 * does, and the file mirrors it: searches only ever ask files, at the speed of files.
 */
export interface RowStore {
  /** Folder for files that are derived from these rows. */
  folder: string;
  /** Path of the file, for messages. */
  file: string;
  /** The file, to read from and to write caches to. */
  database: Database;
  /** Whether the store is open. */
  isOpen: () => boolean;
  /**
   * Does work in a write transaction on the current rows, and resolves once everybody who shares them sees it. The
   * work must use the handle it is given, and may be repeated.
   *
   * @throws StorageFailed when the database cannot be reached; then nothing is written
   */
  write: <Result>(work: (database: Database) => Result) => Promise<Result>;
  /**
   * Brings what others have written into the file. While the database is away, the file stays as it is.
   *
   * @param options.maxAgeMs how long ago the database may last have been asked
   * @default a second
   * @throws StorageFailed when the database cannot be reached and the file has never been filled
   */
  refresh: (options?: { maxAgeMs?: number }) => Promise<void>;
  close: () => Promise<void>;
}

/** What a database makes different: how rows are written and kept up to date. */
export type RowAccess = Pick<RowStore, "write" | "refresh" | "close">;

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
  const database = openDatabase({ file, migrations: options.migrations });
  const { url } = place;
  const access =
    url === undefined
      ? fileAlone({ database, file })
      : mirrorOnceNeeded({ ...options, url, file, database });
  return { folder, file, database, isOpen: () => database.open, ...access };
}

function fileAlone({ database, file }: { database: Database; file: string }): RowAccess {
  return {
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

/** Loads the mirror for the first refresh or write, because only Postgres needs it. */
function mirrorOnceNeeded(options: MirrorOptions): RowAccess {
  const { database, file } = options;
  let loading: Promise<RowAccess> | undefined;
  const load = async () => {
    const { openMirror } = await import("./mirror.js");
    if (!database.open) throw closedStore(file);
    return openMirror(options);
  };
  const mirror = async () => {
    if (!database.open) throw closedStore(file);
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return await loading;
  };
  return {
    write: async (work) => await (await mirror()).write(work),
    refresh: async (how) => await (await mirror()).refresh(how),
    close: async () => {
      if (!database.open) return;
      database.close();
      const opened = await loading?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/**
 * The folder of a place's row files: the home itself, or a folder in it for each database, so that the files of a home
 * that had no database before stay as they are.
 */
export function rowFolder({ home, url }: DataPlace): string {
  if (url === undefined) return home;
  const { host, pathname } = new URL(url);
  const name = createHash("sha256").update(`${host}${pathname}`).digest("hex").slice(0, 12);
  return join(home, "mirror", name);
}
