import type { PoolClient } from "pg";
import { StorageFailed } from "./sqlite.js";
import type { SharedPool } from "./postgresPool.js";

/** Key of the advisory lock for migrations; any fixed number. */
export const MIGRATION_LOCK = 7_158_547;

/**
 * Brings a store's schema up to date, in one transaction under an advisory lock: if several processes start at once,
 * one migrates and the others find it done.
 *
 * @throws StorageFailed when a newer version has written the schema
 */
export async function migratePostgres(options: {
  pool: SharedPool;
  store: string;
  schema: string;
  steps: readonly (readonly string[])[];
}): Promise<void> {
  const { pool, store, schema, steps } = options;
  const client = await pool.connect();
  try {
    if ((await storedVersion(client, store)) === steps.length) return;
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query("CREATE SCHEMA IF NOT EXISTS tulipgraph");
    await client.query(
      "CREATE TABLE IF NOT EXISTS tulipgraph.versions (store text PRIMARY KEY, version integer NOT NULL)",
    );
    // Read again, because another process may have migrated meanwhile.
    const version = (await storedVersion(client, store)) ?? 0;
    if (version > steps.length) {
      throw new StorageFailed({
        file: pool.name,
        problem: `its ${store} were written by a newer version (schema ${version}, this version knows ${steps.length})`,
        hint: "Update tulipgraph",
      });
    }
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET LOCAL search_path TO ${schema}`);
    for (const statement of steps.slice(version).flat()) await client.query(statement);
    await client.query(
      `INSERT INTO tulipgraph.versions VALUES ($1, $2)
       ON CONFLICT (store) DO UPDATE SET version = excluded.version`,
      [store, steps.length],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** The version of a store's schema; undefined if there is none. */
async function storedVersion(client: PoolClient, store: string): Promise<number | undefined> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('tulipgraph.versions') IS NOT NULL AS there",
  );
  if (!found[0]?.there) return undefined;
  const { rows } = await client.query<{ version: number }>(
    "SELECT version FROM tulipgraph.versions WHERE store = $1",
    [store],
  );
  return rows[0]?.version;
}
