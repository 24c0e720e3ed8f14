import { resolve } from "node:path";
import { Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import type { SqliteDatabase } from "kysely";
import { type Database, type Migration, openDatabase } from "./sqlite.js";
import { migratePostgres } from "./postgresMigrations.js";
import { borrowPool } from "./postgresPool.js";

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

function openFile<Tables>(options: {
  place: DataPlace;
  store: string;
  migrations: StoreMigrations;
}): Store<Tables> {
  const { place, store, migrations } = options;
  const file = resolve(place.home, `${store}.db`);
  const open = async () => forKysely(openDatabase({ file, migrations: migrations.sqlite }));
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: open }) });
  return {
    db,
    kind: "sqlite",
    name: file,
    now: async () => Date.now(),
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
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
  const pool = borrowPool(place.url ?? "");
  const schema = schemaOf(store);
  const ready = async () => {
    await migratePostgres({ pool, store, schema, steps: migrations.postgres });
    return pool;
  };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: ready }) });
  const inSchema = db.withSchema(schema);
  return {
    db: inSchema,
    kind: "postgres",
    name: pool.name,
    now: async () => {
      const clock = sql<{
        now: number;
      }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`;
      const { rows } = await clock.execute(db);
      return Number(rows[0]?.now);
    },
    transaction: (work) => db.transaction().execute((inside) => work(inside.withSchema(schema))),
    close: () => db.destroy(),
  };
}
