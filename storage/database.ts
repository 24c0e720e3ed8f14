import { resolve } from "node:path";
import { Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import type { RawBuilder, SqliteDatabase } from "kysely";
import { databaseName } from "./away.js";
import { type Database, type Migration, StorageFailed, openDatabase } from "./sqlite.js";

/**
 * Where the data of a home lie: in SQLite files of a folder, or in a Postgres database. With a database, the folder
 * holds nothing but caches.
 */
export interface DataPlace {
  /** The folder, absolute. */
  home: string;
  /** `postgres://…`; absent for SQLite. */
  url?: string;
}

/** The schema of a store, once for each kind of home; lists are append-only. */
export interface StoreMigrations {
  sqlite: readonly Migration[];
  /** The statements of each step. Tables are named without a schema: the store's own is the search path. */
  postgres: readonly (readonly string[])[];
}

/** A store of a home: tables that belong together, in a SQLite file or in a schema of a Postgres database. */
export interface Store<Tables> {
  /**
   * The query builder. On SQLite there is one connection: whoever awaits `db` inside a transaction instead of the
   * transaction waits for ever.
   */
  db: Kysely<Tables>;
  kind: "sqlite" | "postgres";
  /** The file or database, for messages; never with a password. */
  name: string;
  /** Milliseconds since 1970 by the clock that all processes share: the database's, or this machine's for SQLite. */
  now: () => Promise<number>;
  /** The same as a part of a statement, which costs no statement of its own. */
  clock: () => RawBuilder<number>;
  /** Does work in a write transaction: on SQLite others wait from its beginning, not from its first write. */
  transaction: <Result>(work: (db: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

/**
 * Opens a store of a home. Nothing is read before the first query; that one brings the schema up to date.
 *
 * @param options.store its name: `<store>.db`, or the schema `tulipgraph_<store>`
 * @throws StorageFailed, from the first query on, when the data are of a newer version or cannot be reached
 * @example
 * const runs = openStore<RunTables>({ place: { home }, store: "runs", migrations });
 * const calls = await runs.db.selectFrom("calls").selectAll().execute();
 */
export function openStore<Tables>(options: {
  place: DataPlace;
  store: string;
  migrations: StoreMigrations;
}): Store<Tables> {
  return options.place.url === undefined ? openFile(options) : openSchema(options);
}

/** The schema of a store in a Postgres database. */
export function schemaOf(store: string): string {
  return `tulipgraph_${store}`;
}

/** The database's clock as an expression. */
const databaseClock = () => sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** Connections to files of this process, with the number of stores that use each. */
const openFiles = new Map<string, { db: Kysely<unknown>; users: number }>();

/**
 * A file has one connection in a process: a second one that waited for the lock of a transaction of the first would
 * keep that one from going on, because SQLite waits without letting go of the thread.
 */
function openFile<Tables>(options: {
  place: DataPlace;
  store: string;
  migrations: StoreMigrations;
}): Store<Tables> {
  const { place, store, migrations } = options;
  const file = resolve(place.home, `${store}.db`);
  const open = async () => {
    if (shared.users === 0) throw isClosedAlready(file);
    return forKysely(openDatabase({ file, migrations: migrations.sqlite }));
  };
  const shared = openFiles.get(file) ?? {
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: open }) }),
    users: 0,
  };
  shared.users += 1;
  openFiles.set(file, shared);
  const db = shared.db as Kysely<Tables>;
  let isClosed = false;
  return {
    db,
    kind: "sqlite",
    name: file,
    now: async () => Date.now(),
    clock: () => sql<number>`${Date.now()}`,
    transaction: (work) => db.transaction().execute(work),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      openFiles.delete(file);
      await db.destroy();
    },
  };
}

/** Kysely itself knows only of a store that was used before it was closed. */
function isClosedAlready(file: string): StorageFailed {
  return new StorageFailed({ file, problem: "is closed" });
}

/** A deferred transaction fails where it writes after another process has; Kysely knows no other beginning. */
function forKysely(database: Database): SqliteDatabase {
  return {
    prepare: (text) => database.prepare(text === "begin" ? "begin immediate" : text),
    close: () => void database.close(),
  };
}

function openSchema<Tables>(options: {
  place: DataPlace;
  store: string;
  migrations: StoreMigrations;
}): Store<Tables> {
  const { place, store, migrations } = options;
  const url = place.url ?? "";
  const schema = schemaOf(store);
  // Loaded here, because a home of files needs nothing of it.
  let isClosed = false;
  const ready = async () => {
    if (isClosed) throw isClosedAlready(databaseName(url));
    const { borrowPool } = await import("./postgresPool.js");
    const { migratePostgres } = await import("./postgresMigrations.js");
    const pool = borrowPool(url);
    try {
      await migratePostgres({ pool, store, schema, steps: migrations.postgres });
    } catch (error) {
      await pool.end();
      throw error;
    }
    return pool;
  };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: ready }) });
  const inSchema = db.withSchema(schema);
  return {
    db: inSchema,
    kind: "postgres",
    name: databaseName(url),
    now: async () => {
      const { rows } = await sql<{ now: number }>`SELECT ${databaseClock()} AS now`.execute(db);
      return Number(rows[0]?.now);
    },
    clock: databaseClock,
    transaction: (work) => db.transaction().execute((inside) => work(inside.withSchema(schema))),
    close: async () => {
      isClosed = true;
      await db.destroy();
    },
  };
}
