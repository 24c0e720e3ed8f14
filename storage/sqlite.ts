import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { messageOf, StorageFailed } from "../common/errors.js";
import { makeFolder } from "./makeFolder.js";
import { type Database, type Migration, migrate, requireKnown } from "./migrate.js";

export type { Database, Migration } from "./migrate.js";
export { StorageFailed } from "../common/errors.js";

export function closedStore(file: string): StorageFailed {
  return new StorageFailed({ file, problem: "is closed", hint: "Open it again" });
}

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Opens a SQLite file, creates it and its folder if missing, and brings its schema up to date. The file's
 * `user_version` is the number of migrations applied, so migrations may only be appended. Several processes may
 * open the same new file at once: see {@link migrate}, which also keeps a copy of what it migrates.
 *
 * The connection uses write-ahead logging, enforces foreign keys and waits up to {@link BUSY_TIMEOUT_MS} for a
 * lock. A new file can only be read by its owner.
 *
 * The package named better-sqlite3 is libsql. Its differences are fixed here (`get` and `iterate` with `pluck`,
 * `pragma` with `simple`, stray `_metadata` in rows, booleans and lone buffers as parameters, transactions that SQLite
 * ended itself), except that transactions cannot be nested.
 *
 * @throws StorageFailed when the file is newer than the code, is not a database or cannot be opened
 */
export function openDatabase({
  file,
  migrations,
  use,
}: {
  file: string;
  /** Without them the file stays as it is. */
  migrations?: readonly Migration[];
  /** A file that never changes, or one that nobody else sees and that may be lost: no log stands beside it. */
  use?: "read" | "draft";
}): Database {
  let database: Database | undefined;
  try {
    createPrivately(file);
    database = mendLibsql(new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS }));
    // A newer file is not even opened for writing.
    if (migrations) requireKnown({ file, database, migrations });
    if (use === "read") database.pragma("query_only = ON");
    else if (use === "draft") database.pragma("journal_mode = MEMORY");
    else useWriteAheadLog(database);
    database.pragma("foreign_keys = ON");
    if (migrations) migrate({ file, database, migrations, isKept: use === undefined });
    return database;
  } catch (error) {
    database?.close();
    throw asStorageFailed(file, error);
  }
}

/** SQLite gives its log and shared memory files the mode of the database file. */
function createPrivately(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, "a", 0o600));
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

function asStorageFailed(file: string, error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  const problem = `cannot be opened (${messageOf(error)})`;
  const hint = existsSync(dirname(file)) ? undefined : "Choose a folder that can be written to";
  return new StorageFailed({ file, problem, hint }, { cause: error });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

type Statement = SqliteDatabase.Statement;

/** Prepared statements kept per file; a new one replaces the least recently used. */
const STATEMENTS_KEPT = 200;

/** Gives libsql the behaviour that better-sqlite3 documents. */
function mendLibsql(database: Database): Database {
  const prepare = database.prepare.bind(database);
  const pragma = database.pragma.bind(database);
  const prepared = new Map<string, { statement: Statement; reader: boolean }>();
  const keep = (sql: string) => {
    const statement = prepare(sql);
    return { statement, reader: statement.reader };
  };
  const mended = (sql: string) => {
    const known = prepared.get(sql) ?? keep(sql);
    prepared.delete(sql);
    prepared.set(sql, known);
    if (prepared.size > STATEMENTS_KEPT) {
      const [oldest] = prepared.keys();
      if (oldest !== undefined) prepared.delete(oldest);
    }
    return new MendedStatement(known.statement, () => prepare(sql), known.reader);
  };
  // A transaction that found the disk full has been rolled back by SQLite itself; to do so again would hide why.
  const meant = (sql: string) =>
    /^rollback$/i.test(sql) && !database.inTransaction ? "SELECT 1" : sql;
  database.prepare = ((sql: string) => mended(meant(sql))) as unknown as Database["prepare"];
  const exec = database.exec.bind(database);
  database.exec = (sql) => exec(meant(sql));
  database.pragma = (source, options) => {
    const rows = pragma(source) as unknown[];
    return options?.simple ? firstColumn(rows[0]) : rows;
  };
  return database;
}

/** `get`, `all` and `run` share the kept statement; `iterate` gets its own, which nobody else can restart. */
class MendedStatement {
  #plucks = false;

  constructor(
    private readonly kept: Statement,
    private readonly fresh: () => Statement,
    readonly reader: boolean,
  ) {}

  pluck(toggle = true) {
    this.#plucks = toggle;
    return this;
  }

  get(...parameters: unknown[]) {
    return this.#rowOf(this.kept.get(...bindable(parameters)));
  }

  all(...parameters: unknown[]) {
    return Array.from(this.kept.iterate(...bindable(parameters)), (row) => this.#rowOf(row));
  }

  run(...parameters: unknown[]) {
    return this.kept.run(...bindable(parameters));
  }

  *iterate(...parameters: unknown[]): IterableIterator<unknown> {
    for (const row of this.fresh().iterate(...bindable(parameters))) yield this.#rowOf(row);
  }

  columns() {
    return this.kept.columns();
  }

  #rowOf(row: unknown): unknown {
    return this.#plucks ? firstColumn(row) : withoutMetadata(row);
  }
}

/** In libsql a boolean crashes the process, and a lone buffer is taken for named parameters. */
function bindable(parameters: unknown[]): unknown[] {
  const [first] = parameters;
  for (const given of parameters) {
    const values = isPlainObject(given) ? Object.values(given) : [given].flat();
    if (values.some((value) => typeof value === "boolean"))
      throw new TypeError("SQLite cannot bind a boolean; pass 1 or 0");
  }
  return parameters.length === 1 && first instanceof Uint8Array ? [[first]] : parameters;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function withoutMetadata(row: unknown): unknown {
  if (isPlainObject(row)) delete row._metadata;
  return row;
}

/** Bytes from a row as a buffer, because libsql returns an ArrayBuffer; any other value as it is. */
export function asBuffer(value: unknown): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

function firstColumn(row: unknown): unknown {
  return typeof row === "object" && row !== null ? Object.values(row)[0] : row;
}
