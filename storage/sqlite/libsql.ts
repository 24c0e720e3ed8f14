import type SqliteDatabase from "better-sqlite3";
import { explainedFailure } from "../storageFailed.js";
import { Latest } from "../../common/bounds.js";

/** An open SQLite file, with the interface of better-sqlite3. */
export type Database = SqliteDatabase.Database;

type Statement = SqliteDatabase.Statement;

/** Prepared statements kept per file; a new one replaces the least recently used. */
const STATEMENTS_KEPT = 200;

/**
 * Gives libsql the behaviour that better-sqlite3 documents. Statements that fail because of the file throw
 * `StorageFailed`.
 */
export function mendLibsql(database: Database, file: string): Database {
  const explaining = explainingFor(file);
  const prepare = database.prepare.bind(database);
  const pragma = database.pragma.bind(database);
  const prepared = new Latest<string, { statement: Statement; reader: boolean }>(STATEMENTS_KEPT);
  const keep = (sql: string) => {
    const statement = explaining(() => prepare(sql));
    return { statement, reader: statement.reader };
  };
  const mended = (sql: string) => {
    const known = prepared.get(sql) ?? keep(sql);
    prepared.set(sql, known);
    const { statement, reader } = known;
    return new MendedStatement({ kept: statement, fresh: () => prepare(sql), reader, explaining });
  };
  // A transaction that found the disk full has been rolled back by SQLite itself; to do so again would hide why.
  const meant = (sql: string) =>
    /^rollback$/i.test(sql) && !database.inTransaction ? "SELECT 1" : sql;
  database.prepare = ((sql: string) => mended(meant(sql))) as unknown as Database["prepare"];
  const exec = database.exec.bind(database);
  database.exec = (sql) => explaining(() => exec(meant(sql)));
  database.pragma = (source, options) => {
    const rows = pragma(source) as unknown[];
    return options?.simple ? firstColumn(rows[0]) : rows;
  };
  return database;
}

type Explaining = <Result>(work: () => Result) => Result;

function explainingFor(file: string): Explaining {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw explainedFailure(file, error);
    }
  };
}

interface StatementParts {
  kept: Statement;
  fresh: () => Statement;
  reader: boolean;
  explaining: Explaining;
}

/**
 * `get`, `all` and `run` share the kept statement; `iterate` gets its own, which nobody else can restart.
 *
 * A statement of libsql whose rows are not taken to the end stays in its transaction: it goes on to see the file as it
 * was then, and nobody can write the log back. So none is left there.
 */
class MendedStatement {
  #plucks = false;

  constructor(private readonly parts: StatementParts) {}

  get reader() {
    return this.parts.reader;
  }

  pluck(toggle = true) {
    this.#plucks = toggle;
    return this;
  }

  get(...parameters: unknown[]) {
    const { kept, explaining } = this.parts;
    return this.#rowOf(explaining(() => kept.get(...bindable(parameters))));
  }

  all(...parameters: unknown[]) {
    const { kept, explaining } = this.parts;
    return explaining(() =>
      Array.from(kept.iterate(...bindable(parameters)), (row) => this.#rowOf(row)),
    );
  }

  run(...parameters: unknown[]) {
    const { kept, reader, explaining } = this.parts;
    if (reader) throw new TypeError("a statement that returns rows is not run; use get or all");
    return explaining(() => kept.run(...bindable(parameters)));
  }

  *iterate(...parameters: unknown[]): IterableIterator<unknown> {
    const rows = this.#steps(parameters);
    try {
      for (let row = rows.next(); row.done !== true; row = rows.next()) yield row.value;
    } finally {
      while (rows.next().done !== true);
    }
  }

  /** Ends with the first step that fails: another one would begin the statement anew. */
  *#steps(parameters: unknown[]): Generator {
    const { fresh, explaining } = this.parts;
    const rows = explaining(() => fresh().iterate(...bindable(parameters)));
    const next = () => explaining(() => rows.next());
    for (let row = next(); row.done !== true; row = next()) yield this.#rowOf(row.value);
  }

  columns() {
    return this.parts.kept.columns();
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
