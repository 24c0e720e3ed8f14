import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { openCheckpoints } from "../../storage/checkpoints.js";
import { type DataPlace, openStore, schemaOf } from "../../storage/database.js";
import { readState } from "../../storage/mirror/fileRows.js";
import { openRows, rowFolder } from "../../storage/mirror/rowStore.js";
import { MIRROR_STATE, quoted } from "../../storage/mirror/tables.js";
import { borrowPool } from "../../storage/postgresPool.js";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { type StoreForm, placeName } from "./stores.js";

/** What is known of a store without changing it. */
export interface StoreStatus {
  store: string;
  kind: "sqlite" | "postgres";
  /** The file, or the database; never with a password. */
  at: string;
  /** Version of its schema; 0 where there is none yet. */
  version: number;
  /** The version that this program knows. */
  known: number;
  /** Rows by table. */
  rows: Record<string, number>;
  /** Number of the last write, where the store has a mirror here. */
  revision?: number;
  /** Writes that the mirror of this home has not seen; absent where it was never filled. */
  behind?: number;
}

/** Brings the schemas of all stores of a place up to date; done again, it changes nothing. */
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
 * Where the stores of a place are, and of which version; nothing is made or migrated.
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

/** Whether something is to be done before a place can be used by this version, or that version is too old for it. */
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
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Number(
        database
          .prepare(`SELECT count(*) FROM ${quoted(name)}`)
          .pluck()
          .get(),
      ),
    ]),
  );
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
    version: await versionOf(client, form.name),
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

async function versionOf(client: PoolClient, store: string): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('tulipgraph.versions') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return 0;
  const { rows: versions } = await client.query<{ version: number }>(
    "SELECT version FROM tulipgraph.versions WHERE store = $1",
    [store],
  );
  return versions[0]?.version ?? 0;
}

function mirroredState(place: DataPlace, store: string) {
  const file = join(rowFolder(place), `${store}.db`);
  return existsSync(file) ? reading(file, readState) : undefined;
}
