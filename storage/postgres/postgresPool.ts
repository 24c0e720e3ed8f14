import { messageOf } from "../../common/errors.js";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { databaseName, isAway, ofDriver } from "./unavailable.js";
import { loadPg, makeReady, watchedClient } from "./postgresClient.js";
import { updateTo } from "../migrate.js";
import { packageVersion } from "../packageRoot.js";
import { StorageFailed } from "../storageFailed.js";

/** Most connections of one process to one database. */
const MOST_CONNECTIONS = 10;

/** How long to wait for a database that is away, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How long to wait for an address from which this process has never had an answer, in milliseconds: it may be wrong. */
const FIRST_PATIENCE_MS = 3_000;

/** Pause between tries, in milliseconds. */
const RETRY_MS = 500;

/** Time-out of one attempt to connect, in milliseconds. */
const CONNECTING_MS = 5_000;

/** The connections of a process to a Postgres database, shared by its stores; the last to return the pool closes it. */
export type SharedPool = ReturnType<typeof borrowPool>;

/** The open pools by address, with the number of their users. */
const open = new Map<string, { pool: Pool; users: number }>();

/** The addresses at which this process has reached a database. */
const reached = new Set<string>();

/** The process's pool for a database. */
export function borrowPool(url: string) {
  const known = open.get(url) ?? { pool: makePool(url), users: 0 };
  known.users += 1;
  open.set(url, known);
  const { pool } = known;
  const name = databaseName(url);
  let isReturned = false;
  return {
    /** Host, port and database, for messages. */
    name,
    /** The pool itself, for whoever does not want to wait. */
    pool,
    /** Waits while the database cannot be reached. */
    connect: () => connectPatiently(pool, { url, name }),
    end: async () => {
      if (isReturned) return;
      isReturned = true;
      known.users -= 1;
      if (known.users > 0) return;
      open.delete(url);
      await pool.end();
    },
  };
}

/** Type of a bigint, which `pg` gives as text because it may be too big for a number. Counts and times are not. */
const BIGINT = 20;

function makePool(url: string): Pool {
  const { Pool, types } = loadPg();
  const numbers = {
    getTypeParser: (type: number, format?: "text" | "binary") =>
      type === BIGINT && format !== "binary" ? Number : types.getTypeParser(type, format),
  };
  const pool = new Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    types: numbers,
    Client: watchedClient(),
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECTING_MS,
    verify: (client, done) => void makeReady(client).then(() => done(), done),
  });
  pool.connect = ofDriver(pool.connect.bind(pool)) as Pool["connect"];
  pool.query = ofDriver(pool.query.bind(pool)) as Pool["query"];
  // The next query replaces a broken connection; without listeners the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    reached.add(url);
    client.on("error", () => undefined);
  });
  return pool;
}

async function connectPatiently(pool: Pool, { url, name }: { url: string; name: string }) {
  const since = Date.now();
  while (true) {
    try {
      return await pool.connect();
    } catch (error) {
      const hasAnswered = reached.has(url) || isOfPostgres(error);
      const giveUpAt = since + (hasAnswered ? PATIENCE_MS : FIRST_PATIENCE_MS);
      if (!isAway(error) || Date.now() > giveUpAt) throw unreachable(name, error);
    }
    await sleep(RETRY_MS);
  }
}

/** Whether Postgres itself has answered, for example that it is starting. */
function isOfPostgres(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "severity" in error && "code" in error;
}

function unreachable(name: string, error: unknown): StorageFailed {
  const [problem, hint] = problemOf(error);
  return new StorageFailed({ file: name, problem, hint }, { cause: error });
}

/** What is wrong with an address or the database there, and what to do. */
function problemOf(error: unknown): [problem: string, hint: string] {
  const code = isOfPostgres(error) ? error.code : "";
  const said = reasonOf(error);
  if (code === "3D000") return [`cannot be opened (${said})`, "Create it, or name one that exists"];
  if (code.startsWith("28") || said.includes("password")) {
    const hint =
      "Check the user and the password, which come from the address or from PGUSER and PGPASSWORD";
    return [`refuses the login (${said})`, hint];
  }
  return [`cannot be reached (${said})`, "Check its address, and that Postgres is running there"];
}

function reasonOf(error: unknown): string {
  // One error for each address of a host name; it has no message of its own.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(messageOf))].join(", ");
  const message = messageOf(error);
  return /time-?out/.test(message) ? `no answer within ${CONNECTING_MS / 1_000} s` : message;
}

/** Key of the advisory lock for migrations; any fixed number. */
const MIGRATION_LOCK = 7_158_547;

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
      const release = await storedRelease(client, store);
      throw new StorageFailed({
        file: pool.name,
        problem: `its ${store} were written by a newer version (schema ${version}, this version knows ${steps.length})`,
        hint: updateTo(release),
      });
    }
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET LOCAL search_path TO ${schema}`);
    for (const statement of steps.slice(version).flat()) await client.query(statement);
    await client.query("ALTER TABLE tulipgraph.versions ADD COLUMN IF NOT EXISTS release text");
    await client.query(
      `INSERT INTO tulipgraph.versions (store, version, release) VALUES ($1, $2, $3)
       ON CONFLICT (store) DO UPDATE SET version = excluded.version, release = excluded.release`,
      [store, steps.length, packageVersion()],
    );
    await client.query("COMMIT");
    if (version > 0 && version < steps.length)
      process.stderr.write(
        `${pool.name}: its ${store} were brought up to date (schema ${version} to ${steps.length})\n`,
      );
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Whether a database has ever been used by us. */
export async function isUsed(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('tulipgraph.versions') IS NOT NULL AS there",
  );
  return rows[0]?.there === true;
}

/** The version of a store's schema; undefined if there is none. */
async function storedVersion(client: PoolClient, store: string): Promise<number | undefined> {
  if (!(await isUsed(client))) return undefined;
  const { rows } = await client.query<{ version: number }>(
    "SELECT version FROM tulipgraph.versions WHERE store = $1",
    [store],
  );
  return rows[0]?.version;
}

/** The release that last migrated a store's schema, if it has said so. */
async function storedRelease(client: PoolClient, store: string): Promise<string | undefined> {
  // As JSON, because older releases made no such column.
  const { rows } = await client.query<{ release: string | null }>(
    "SELECT to_jsonb(stored) ->> 'release' AS release FROM tulipgraph.versions AS stored WHERE store = $1",
    [store],
  );
  return rows[0]?.release ?? undefined;
}
