import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { RawBuilder, SqliteDatabase } from "kysely";
import { databaseName } from "./away.js";
import { Kysely, PostgresDialect, SqliteDialect, sql } from "./kysely.js";
import { type Database, type Migration, closedStore, openDatabase } from "./sqlite.js";

/**
 * Where the data of a home are: in SQLite files in a folder, or in a Postgres database. With a database, the folder
 * only holds caches.
 */
export interface DataPlace {
  /** The folder, absolute. */
  home: string;
  /** `postgres://…`; absent for SQLite. */
  url?: string;
}

/** The schema of a store for each kind of home; the lists are append-only. */
export interface StoreMigrations {
  sqlite: readonly Migration[];
  /** The statements of each step. Tables are named without a schema: the search path is the store's schema. */
  postgres: readonly (readonly string[])[];
}

/** Tables of a home that belong together, in a SQLite file or in a schema of a Postgres database. */
export interface Store<Tables> {
  /**
   * The query builder. SQLite has one connection: inside a transaction, awaiting `db` instead of the transaction's
   * own handle never ends.
   */
  db: Kysely<Tables>;
  kind: "sqlite" | "postgres";
  /** The file or database, for messages; never with a password. */
  name: string;
  /** Milliseconds since 1970 by the clock that all processes share: that of Postgres, or this machine's for SQLite. */
  now: () => Promise<number>;
  /** The same as an SQL expression, which saves a query. */
  clock: () => RawBuilder<number>;
  /** Does work in a write transaction. On SQLite it locks out other writers from its beginning, not its first write. */
  transaction: <Result>(work: (db: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

/**
 * Opens a store of a home. The first query opens the data and brings the schema up to date.
 *
 * @param options.store its name: the file is `<store>.db`, the schema `tulipgraph_<store>`
 * @throws StorageFailed, from the first query on, when a newer version has written the data or they cannot be reached
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

/** The folder for files of a place: the home itself, or one in it for each database, with copies of what is there. */
export function fileFolder({ home, url }: DataPlace): string {
  if (url === undefined) return home;
  const { host, pathname } = new URL(url);
  const name = createHash("sha256").update(`${host}${pathname}`).digest("hex").slice(0, 12);
  return join(home, "fetched", name);
}

/** The schema of a store in a Postgres database. */
export function schemaOf(store: string): string {
  return `tulipgraph_${store}`;
}

/** The database's clock as an expression. */
const databaseClock = () => sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** How long the database's time is reckoned on from one answer, in milliseconds. */
const RECKONED_MS = 5_000;

/** A clock that is asked now and then. In between, what has passed here is added, whatever this machine's time is. */
function rememberedClock(ask: () => Promise<number>): () => Promise<number> {
  let told = 0;
  let at = -Infinity;
  return async () => {
    if (performance.now() - at > RECKONED_MS) {
      told = await ask();
      at = performance.now();
    }
    return Math.floor(told + performance.now() - at);
  };
}

/** This process's connections by file, with the number of stores that use each. */
const openFiles = new Map<string, { db: Kysely<unknown>; users: number }>();

/**
 * A process has one connection to a file. A second one that waited for a transaction of the first would wait in vain:
 * SQLite blocks the thread while it waits, so the first could not continue.
 */
function openFile<Tables>(options: {
  place: DataPlace;
  store: string;
  migrations: StoreMigrations;
}): Store<Tables> {
  const { place, store, migrations } = options;
  const file = resolve(place.home, `${store}.db`);
  const open = async () => {
    // Kysely itself notices only if the store was used before it was closed.
    if (shared.users === 0) throw closedStore(file);
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

/** A deferred transaction fails if it writes after another process has; Kysely knows no other kind. */
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
  let isClosed = false;
  const ready = async () => {
    if (isClosed) throw closedStore(databaseName(url));
    // Loaded late, because SQLite needs none of it.
    const { borrowPool } = await import("./postgresPool.js");
    const { migratePostgres } = await import("./postgresPool.js");
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
  const now = rememberedClock(async () => {
    const { rows } = await sql<{ now: number }>`SELECT ${databaseClock()} AS now`.execute(db);
    return Number(rows[0]?.now);
  });
  return {
    db: inSchema,
    kind: "postgres",
    name: databaseName(url),
    now,
    clock: databaseClock,
    transaction: (work) => db.transaction().execute((inside) => work(inside.withSchema(schema))),
    close: async () => {
      isClosed = true;
      await db.destroy();
    },
  };
}
