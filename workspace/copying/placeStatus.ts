import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../storage/kysely.js";
import type { PoolClient } from "pg";
import { openCheckpoints } from "../../storage/checkpoints.js";
import { type DataPlace, openStore, schemaOf } from "../../storage/database.js";
import { readState } from "../../storage/mirror/fileRows.js";
import { openRows, rowFolder } from "../../storage/mirror/rowStore.js";
import { MIRROR_STATE, quoted, tableNames } from "../../storage/mirror/tables.js";
import { storedVersion } from "../../storage/postgresMigrations.js";
import { borrowPool } from "../../storage/postgresPool.js";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { type StoreForm, placeName } from "./stores.js";

/** What can be told about a store without changing it. */
export interface StoreStatus {
  store: string;
  kind: "sqlite" | "postgres";
  /** The file, or the database; never with a password. */
  at: string;
  /** Version of its schema; 0 if it has none yet. */
  version: number;
  /** The version that this program knows. */
  known: number;
  /** Rows by table. */
  rows: Record<string, number>;
  /** Number of the last write, if the store has a mirror here. */
  revision?: number;
  /** Writes that this home's mirror has not seen; absent if it was never filled. */
  behind?: number;
}

/** Brings the schemas of all stores of a place up to date; doing it again changes nothing. */
export async function migratePlace(options: {
  stores: readonly StoreForm[];
  place: DataPlace;
}): Promise<void> {
  const { stores, place } = options;
  for (const form of stores) await migrateStore({ form, place });
}

async function migrateStore({ form, place }: { form: StoreForm; place: DataPlace }): Promise<void> {
  const { name: store } = form;
  if (form.kind === "rows") {
    const rows = openRows({ place, store, migrations: form.migrations, caches: form.caches });
    await rows.refresh({ maxAgeMs: 0 }).finally(rows.close);
    return;
  }
  if (form.kind === "checkpoints") {
    const checkpoints = openCheckpoints({ place });
    // The first reading makes the tables.
    const reading = Promise.all([
      checkpoints.threads.list(),
      checkpoints.saver.getTuple({ configurable: { thread_id: "" } }),
    ]);
    await reading.finally(checkpoints.close);
    return;
  }
  const opened = openStore<Record<string, never>>({ place, store, migrations: form.migrations });
  // The first query makes the tables.
  await sql`SELECT 1`.execute(opened.db).finally(opened.close);
}

/**
 * Where the stores of a place are, and their versions; nothing is created or migrated.
 *
 * @throws StorageFailed when the database cannot be reached
 */
export async function placeStatus(options: {
  stores: readonly StoreForm[];
  place: DataPlace;
}): Promise<StoreStatus[]> {
  const { stores, place } = options;
  if (place.url === undefined) return stores.map((form) => fileStatus({ form, place }));
  const pool = borrowPool(place.url);
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  try {
    const all: StoreStatus[] = [];
    for (const form of stores) all.push(await schemaStatus({ client, form, place }));
    return all;
  } finally {
    client.release();
    await pool.end();
  }
}

/** Whether a store must be migrated, or this program updated, before it can be used. */
export function isOtherVersion({ version, known }: StoreStatus): boolean {
  return version !== known;
}

function fileStatus({ form, place }: { form: StoreForm; place: DataPlace }): StoreStatus {
  const at = join(place.home, `${form.name}.db`);
  const known = form.kind === "rows" ? form.migrations.length : form.migrations.sqlite.length;
  const status = { store: form.name, kind: "sqlite" as const, at, known };
  if (!existsSync(at)) return { ...status, version: 0, rows: {} };
  return reading(at, (database) => ({
    ...status,
    version: Number(database.pragma("user_version", { simple: true })),
    rows: countRows(database),
  }));
}

function countRows(database: Database): Record<string, number> {
  const count = (name: string) => database.prepare(`SELECT count(*) FROM ${quoted(name)}`);
  const counts = tableNames(database).map((name) => [name, Number(count(name).pluck().get())]);
  return Object.fromEntries(counts) as Record<string, number>;
}

function reading<Result>(file: string, read: (database: Database) => Result): Result {
  const database = openDatabase({ file });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

async function schemaStatus(options: {
  client: PoolClient;
  form: StoreForm;
  place: DataPlace;
}): Promise<StoreStatus> {
  const { client, form, place } = options;
  const schema = schemaOf(form.name);
  const known = form.kind === "rows" ? form.migrations.length : form.migrations.postgres.length;
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY tablename",
    [schema],
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables.filter((table) => !table.name.startsWith("mirror_"))) {
    const { rows: counted } = await client.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${schema}.${quoted(name)}`,
    );
    rows[name] = counted[0]?.count ?? 0;
  }
  const status: StoreStatus = {
    store: form.name,
    kind: "postgres",
    at: placeName(place),
    version: (await storedVersion({ client, store: form.name })) ?? 0,
    known,
    rows,
  };
  if (!tables.some(({ name }) => name === MIRROR_STATE)) return status;
  const { rows: states } = await client.query<{ origin: string; number: number }>(
    `SELECT origin, number FROM ${schema}.${MIRROR_STATE}`,
  );
  const [state] = states;
  if (!state) return status;
  const mirrored = mirroredState(place, form.name);
  const behind =
    mirrored?.origin === state.origin ? { behind: state.number - mirrored.number } : {};
  return { ...status, revision: state.number, ...behind };
}

function mirroredState(place: DataPlace, store: string) {
  const file = join(rowFolder(place), `${store}.db`);
  if (!existsSync(file)) return undefined;
  return reading(file, (database) =>
    // A file that was opened and never filled has no such table yet.
    tableNames(database).includes(MIRROR_STATE) ? readState(database) : undefined,
  );
}
