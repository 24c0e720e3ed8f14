import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OperationNodeSource, PostgresPoolClient, RawBuilder, SqliteDatabase } from "kysely";
import type { PoolClient } from "pg";
import { databaseName, isPooled } from "./postgres/unavailable.js";
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql } from "./kysely.js";
import { type Database, type Migration, closedStore, openDatabase } from "./sqlite/sqlite.js";

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

/** What the query builder has made, or a text with its parameters, which need not be put together each time. */
type Query = OperationNodeSource | Pick<CompiledQuery, "sql" | "parameters">;

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
  /**
   * Executes queries together, and none but the first if that returns no row. Rows that many others want come last, so
   * that they are locked for a moment. In a file, nobody else gets a turn meanwhile, and a power cut may undo it before
   * the next `sync`, which saves the time to write it to the disk.
   *
   * @param first a query that returns rows, if there are others; in a file, a change will do
   * @returns whether the first returned a row, or is a change in a file
   */
  together: (first: Query, ...others: Query[]) => Promise<boolean>;
  /** Waits until all that was done outlives a power cut. Those who wait at the same time share one writing to the disk. */
  sync: () => Promise<void>;
  close: () => Promise<void>;
}

/** A store of a home, and where its data are. */
interface StoreToOpen {
  place: DataPlace;
  /** Its name: the file is `<store>.db`, the schema `tulipgraph_<store>`. */
  store: string;
  migrations: StoreMigrations;
  /**
   * Whether a file outlives a power cut with all that was written; a crash of the process loses nothing either way.
   *
   * @default true
   */
  isSynced?: boolean;
}

/**
 * Opens a store of a home. The first query opens the data and brings the schema up to date.
 *
 * @throws StorageFailed, from the first query on, when a newer version has written the data or they cannot be reached
 * @example
 * const runs = openStore<RunTables>({ place: { home }, store: "runs", migrations });
 * const calls = await runs.db.selectFrom("calls").selectAll().execute();
 */
export function openStore<Tables>(options: StoreToOpen): Store<Tables> {
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

interface OpenFile {
  db: Kysely<unknown>;
  /** Once it is open. */
  database?: Database;
  /** The number of stores that use it. */
  users: number;
}

/** This process's connections by file. */
const openFiles = new Map<string, OpenFile>();

/**
 * A process has one connection to a file. A second one that waited for a transaction of the first would wait in vain:
 * SQLite blocks the thread while it waits, so the first could not continue.
 */
function openFile<Tables>(options: StoreToOpen): Store<Tables> {
  const { place, store, migrations, isSynced = true } = options;
  const file = resolve(place.home, `${store}.db`);
  const openShared = async () => {
    // Kysely itself notices only if the store was used before it was closed.
    if (shared.users === 0) throw closedStore(file);
    const database = openDatabase({ file, migrations: migrations.sqlite });
    shared.database = database;
    return forKysely(database, () => writeToDisk(database, isSynced));
  };
  const shared = openFiles.get(file) ?? {
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: openShared }) }),
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
    together: async (...nodes) => {
      if (isClosed) throw closedStore(file);
      const queries = nodes.map((node) => compiled(node, db));
      const { database } = shared;
      // Nobody else does anything meanwhile, unless somebody is in the middle of a transaction.
      if (database && !database.inTransaction) return inOneGo(database, queries);
      return await db.connection().execute(async () => inOneGo(shared.database, queries));
    },
    sync: syncing(async () => {
      await db.connection().execute(async () => shared.database && commitToDisk(shared.database));
    }),
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

/** Writes a file to the disk for all who ask for it in one turn of the event loop. */
function syncing(write: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () =>
    (next ??= nextTurn().then(() => {
      next = undefined;
      return write();
    }));
}

/** A commit takes with it to the disk what is in the log from before it. This one changes nothing. */
function commitToDisk(database: Database): void {
  writeToDisk(database, true);
  const release = Number(database.pragma("application_id", { simple: true }));
  database.pragma(`application_id = ${release}`);
}

/** Whether each file is written to the disk with each commit, where it is known. */
const writtenToDisk = new WeakMap<Database, boolean>();

/** Only between transactions, and only if it has to differ: a light write in a row of them changes nothing. */
function writeToDisk(database: Database, isWanted: boolean): void {
  if (writtenToDisk.get(database) === isWanted) return;
  database.pragma(`synchronous = ${isWanted ? "FULL" : "NORMAL"}`);
  writtenToDisk.set(database, isWanted);
}

/** A deferred transaction fails if it writes after another process has; Kysely knows no other kind. */
function forKysely(database: Database, beforeWriting: () => void): SqliteDatabase {
  return {
    prepare: (text) => {
      if (!READING.test(text)) beforeWriting();
      return database.prepare(text === "begin" ? BEGIN : text);
    },
    close: () => void database.close(),
  };
}

const BEGIN = "begin immediate";
const READING = /^(select|commit|rollback)/i;

async function rowsOf<Tables>(query: Query, db: Kysely<Tables>): Promise<readonly unknown[]> {
  return (await db.executeQuery(compiled(query, db))).rows;
}

function compiled<Tables>(query: Query, db: Kysely<Tables>): CompiledQuery {
  return "sql" in query
    ? CompiledQuery.raw(query.sql, [...query.parameters])
    : sql`${query}`.compile(db);
}

/** Executes queries in a turn of the event loop, and none but the first if that returns no row. */
function inOneGo(database: Database | undefined, queries: readonly CompiledQuery[]): boolean {
  if (!database) throw new Error("a connection is had before its file is open");
  const [first, ...others] = queries.map(({ sql: text, parameters }) => () => {
    const statement = database.prepare(text);
    return statement.reader ? statement.all(parameters) : statement.run(parameters);
  });
  const found = () => [first?.()].flat().length > 0;
  if (others.length > 0 || !READING.test(queries[0]?.sql ?? "")) writeToDisk(database, false);
  if (others.length === 0) return found();
  database.prepare(BEGIN).run();
  try {
    const isFound = found();
    if (isFound) for (const execute of others) execute();
    database.prepare("commit").run();
    return isFound;
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

function openSchema<Tables>({ place, store, migrations }: StoreToOpen): Store<Tables> {
  const url = place.url ?? "";
  const schema = schemaOf(store);
  let isClosed = false;
  const ready = async () => {
    if (isClosed) throw closedStore(databaseName(url));
    // Loaded late, because SQLite needs none of it.
    const { borrowPool } = await import("./postgres/postgresPool.js");
    const { migratePostgres } = await import("./postgres/postgresPool.js");
    const pool = borrowPool(url);
    try {
      await migratePostgres({ pool, store, schema, steps: migrations.postgres });
    } catch (error) {
      await pool.end();
      throw error;
    }
    return { connect: async () => prepared(await pool.connect()), end: pool.end };
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
    together: async (first, ...others) => {
      if (others.length === 0) return (await rowsOf(first, db)).length > 0;
      return await db.transaction().execute(async (within) => {
        const isFound = (await rowsOf(first, within)).length > 0;
        if (isFound) for (const query of others) await rowsOf(query, within);
        return isFound;
      });
    },
    sync: async () => undefined,
    close: async () => {
      isClosed = true;
      await db.destroy();
    },
  };
}

/** Names of statements that each connection plans once. Those of other shapes are planned each time. */
const planned = new Map<string, string>();
const MOST_PLANNED = 50;

/** A connection that keeps the plans of statements made of several queries, which take longer to plan than to do. */
function prepared(client: PoolClient) {
  const used = {
    query: (text: string, values: unknown[]) =>
      client.query({ name: isPooled(client) ? undefined : planName(text), text, values }),
    release: () => client.release(),
  };
  return used as unknown as PostgresPoolClient;
}

function planName(text: string): string | undefined {
  if (!planned.has(text) && planned.size < MOST_PLANNED && text.startsWith("WITH "))
    planned.set(text, `tulipgraph_${planned.size}`);
  return planned.get(text);
}
