import { messageOf } from "../common/errors.js";
import { setTimeout as sleep } from "node:timers/promises";
import { createRequire } from "node:module";
import type { Pool, PoolClient } from "pg";
import { requireExtra } from "../common/extras.js";
import { databaseName, isAway } from "./away.js";
import { StorageFailed } from "./sqlite.js";

/** Most connections of one process to one database. */
const MOST_CONNECTIONS = 10;

/** How long to wait for a database that is away, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Pause between tries, in milliseconds. */
const RETRY_MS = 500;

/**
 * How long a transaction may be idle, in milliseconds. Without a limit, the locks of a process that hangs or vanishes
 * in a transaction would block everybody else.
 */
const IDLE_TRANSACTION_MS = 30_000;

/** Time-out of one attempt to connect, in milliseconds. */
const CONNECTING_MS = 10_000;

/** The connections of a process to a Postgres database, shared by its stores; the last to return the pool closes it. */
export interface SharedPool {
  /** Host, port and database, for messages. */
  name: string;
  /** Waits while the database cannot be reached. */
  connect: () => Promise<PoolClient>;
  /** Returns the pool. */
  end: () => Promise<void>;
  /** The pool itself, for whoever does not want to wait. */
  pool: Pool;
}

/** The open pools by address, with the number of their users. */
const open = new Map<string, { pool: Pool; users: number }>();

/** The process's pool for a database. */
export function borrowPool(url: string): SharedPool {
  const known = open.get(url) ?? { pool: makePool(url), users: 0 };
  known.users += 1;
  open.set(url, known);
  const { pool } = known;
  const name = databaseName(url);
  let isReturned = false;
  return {
    name,
    pool,
    connect: () => connectPatiently(pool, name),
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

/** Loaded only for a database, because who keeps data in files need not install it. */
function loadPg(): typeof import("pg") {
  requireExtra("postgres");
  return createRequire(import.meta.url)("pg") as typeof import("pg");
}

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
    keepAlive: true,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECTING_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // The next query replaces a broken connection; without listeners the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

async function connectPatiently(pool: Pool, name: string): Promise<PoolClient> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (true) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isAway(error) || Date.now() > giveUpAt) throw unreachable(name, error);
    }
    await sleep(RETRY_MS);
  }
}

function unreachable(name: string, error: unknown): StorageFailed {
  const problem = messageOf(error);
  return new StorageFailed(
    {
      file: name,
      problem: `cannot be reached (${problem})`,
      hint: "Check TULIPGRAPH_DATABASE_URL and that Postgres is running",
    },
    { cause: error },
  );
}
