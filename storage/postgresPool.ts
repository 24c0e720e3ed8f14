import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, types } from "pg";
import { databaseName, isAway } from "./away.js";
import { StorageFailed } from "./sqlite.js";

/** Connections of one process to one database. */
const MOST_CONNECTIONS = 10;

/** How long a database that is away is waited for, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How often it is tried meanwhile, in milliseconds. */
const RETRY_MS = 500;

/**
 * How long a transaction may do nothing, in milliseconds: the locks of a process that hangs or vanished in one would
 * keep everybody else from its threads.
 */
const IDLE_TRANSACTION_MS = 30_000;

/** How long one attempt to connect may take, in milliseconds. */
const CONNECTING_MS = 10_000;

/** A Postgres database that several stores of a process use; the last to return it closes its connections. */
export interface SharedPool {
  /** Host, port and database, for messages. */
  name: string;
  /** Waits while the database cannot be reached. */
  connect: () => Promise<PoolClient>;
  /** Returns the pool. */
  end: () => Promise<void>;
  /** For packages that want a pool of `pg`. */
  pool: Pool;
}

interface OpenPool {
  pool: Pool;
  users: number;
}

const open = new Map<string, OpenPool>();

/** The process's pool for a database. */
export function borrowPool(url: string): SharedPool {
  const { pool } = openPool(url);
  const name = databaseName(url);
  let isReturned = false;
  return {
    name,
    pool,
    connect: () => connectPatiently({ pool, name }),
    end: async () => {
      if (isReturned) return;
      isReturned = true;
      await giveBack(url);
    },
  };
}

/** What `pg` calls a bigint: text, because it may be too big for a number. Counts and milliseconds are not. */
const BIGINT = 20;

const NUMBERS = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === BIGINT && format !== "binary" ? Number : types.getTypeParser(type, format),
};

function openPool(url: string): OpenPool {
  const known = open.get(url) ?? { pool: makePool(url), users: 0 };
  known.users += 1;
  open.set(url, known);
  return known;
}

function makePool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    types: NUMBERS,
    keepAlive: true,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECTING_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // A connection that breaks is replaced by the next query; without listeners the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

async function giveBack(url: string): Promise<void> {
  const known = open.get(url);
  if (!known) return;
  known.users -= 1;
  if (known.users > 0) return;
  open.delete(url);
  await known.pool.end();
}

async function connectPatiently({ pool, name }: { pool: Pool; name: string }): Promise<PoolClient> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (true) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isAway(error) || Date.now() > giveUpAt) throw unreachable({ name, error });
    }
    await sleep(RETRY_MS);
  }
}

function unreachable({ name, error }: { name: string; error: unknown }): StorageFailed {
  const problem = error instanceof Error ? error.message : String(error);
  return new StorageFailed(
    {
      file: name,
      problem: `cannot be reached (${problem})`,
      hint: "Check TULIPGRAPH_DATABASE_URL and that Postgres is running",
    },
    { cause: error },
  );
}
