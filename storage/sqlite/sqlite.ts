import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { type Database, mendLibsql } from "./libsql.js";
import { makeFolder, takeName } from "../files.js";
import { type Migration, migrate, requireKnown } from "../migrate.js";
import { StorageFailed, isBusy, openingFailure } from "../storageFailed.js";

export { type Database, asBuffer } from "./libsql.js";
export type { Migration } from "../migrate.js";
export { StorageFailed, closedStore } from "../storageFailed.js";

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Opens a SQLite file, creates it and its folder if missing, and brings its schema up to date. The file's
 * `user_version` is the number of migrations applied, so migrations may only be appended. Several processes may
 * open the same new file at once: see {@link migrate}, which also keeps a copy of what it migrates.
 *
 * The connection uses write-ahead logging, enforces foreign keys and waits up to {@link BUSY_TIMEOUT_MS} for a
 * lock. A new file can only be read by its owner. From then on nothing but SQLite may open it or its log, not even to
 * read it: whoever closes a descriptor of a file ends all locks that this process has on it, those of SQLite too. Then
 * the next process to end takes itself for the last user, and removes the log under the others.
 *
 * The package named better-sqlite3 is libsql. Its differences are fixed here (`get` and `iterate` with `pluck`,
 * `pragma` with `simple`, stray `_metadata` in rows, booleans and lone buffers as parameters, transactions that SQLite
 * ended itself), except that transactions cannot be nested.
 *
 * @throws StorageFailed when the file is newer than the code, is not a database or cannot be opened
 */
export function openDatabase(options: {
  file: string;
  /** Without them the file stays as it is. */
  migrations?: readonly Migration[];
  /** A file that never changes, or one that nobody else sees and that may be lost: no log stands beside it. */
  use?: "read" | "draft";
}): Database {
  const { file, migrations, use } = options;
  let database: Database | undefined;
  try {
    makePrivate(file);
    // Nobody locks what never changes, so copies may be made of it.
    const name = use === "read" ? `${pathToFileURL(file).href}?immutable=1` : file;
    database = mendLibsql(new SqliteDatabase(name, { timeout: BUSY_TIMEOUT_MS }), file);
    // A newer file is not even opened for writing.
    if (migrations) requireKnown({ file, database, migrations });
    if (use === "read") database.pragma("query_only = ON");
    else if (use === "draft") database.pragma("journal_mode = MEMORY");
    else useWriteAheadLog(database);
    database.pragma("foreign_keys = ON");
    if (migrations)
      migrate({
        file,
        database,
        migrations,
        ...(use === undefined && { copyTo: (to: string) => copyDatabase({ from: file, to }) }),
      });
    return database;
  } catch (error) {
    database?.close();
    throw openingFailure(file, error);
  }
}

/** Makes a missing file that only its owner can read; SQLite gives its log and its shared memory the same mode. */
function makePrivate(file: string): void {
  makeFolder(dirname(file));
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}.new`;
  closeSync(openSync(draft, "wx", 0o600));
  takeName({ draft, file });
}

/** While another process switches a new file to the log, SQLite refuses the switch without waiting. */
function useWriteAheadLog(database: Database): void {
  const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
  while (true) {
    try {
      database.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpAt) throw error;
      sleep(10);
    }
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Copies a SQLite file, even while others write to it; only its owner can read the copy. An existing copy is kept.
 *
 * @throws StorageFailed if there is no such file
 */
export function copyDatabase({ from, to }: { from: string; to: string }): void {
  if (existsSync(to)) return;
  if (!existsSync(from))
    throw new StorageFailed({ file: from, problem: "there is no such file to copy" });
  // It gets its name once it is complete, so that an interrupted copy does not count as one.
  const part = `${to}.${randomUUID()}.part`;
  openDatabase({ file: part, use: "draft" }).close();
  const database = openDatabase({ file: from });
  try {
    database.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`);
    takeName({ draft: part, file: to });
  } finally {
    database.close();
    rmSync(part, { force: true });
  }
}
