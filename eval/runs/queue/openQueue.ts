import type PgBoss from "pg-boss";
import { InvalidSetting } from "../../../common/errors.js";
import { type Store, openStore } from "../../../storage/database.js";
import { isAway } from "../../../storage/away.js";
import { borrowPool } from "../../../storage/postgresPool.js";
import { StorageFailed } from "../../../storage/sqlite.js";
import { defaultHome } from "../../../nodes/workspace/home.js";
import { type Leases, type Sql, leasesIn } from "./leases.js";
import { QUEUE_MIGRATIONS, type QueueTables } from "./queueTables.js";

/** A Postgres database through which runs are distributed over machines. */
export interface RunQueue {
  /** Host, port and database, for messages. */
  name: string;
  store: Store<QueueTables>;
  /** Stores the jobs; its own maintenance is off. */
  boss: PgBoss;
  /** What pg-boss lacks: which worker holds a job, and for how long. */
  leases: Leases;
  close: () => Promise<void>;
}

/** The schema of pg-boss's tables. */
const JOBS_SCHEMA = "tulipgraph_queue";

/**
 * Opens the queue in a database and creates missing tables.
 *
 * @throws InvalidSetting if the database cannot be reached within half a minute
 * @throws StorageFailed if its tables are from a newer version
 */
export async function openQueue(url: string): Promise<RunQueue> {
  const pool = borrowPool(requirePostgres(url));
  const store = openStore<QueueTables>({
    place: { home: defaultHome(), url },
    store: "evaluations",
    migrations: QUEUE_MIGRATIONS,
  });
  const sql: Sql = async (text, values) => await pool.pool.query(text, values);
  const close = async () => {
    await store.close();
    await pool.end();
  };
  const { default: Boss } = await import("pg-boss");
  const boss = new Boss({
    schema: JOBS_SCHEMA,
    supervise: false,
    schedule: false,
    db: { executeSql: sql },
  });
  try {
    (await pool.connect()).release();
    await boss.start();
    await store.now();
  } catch (error) {
    await close();
    throw unusable(error);
  }
  const leases = leasesIn({ sql, schema: JOBS_SCHEMA });
  return { name: pool.name, store, boss, leases, close };
}

/** The queue of a session's jobs. */
export function jobsOf(session: string): string {
  return `runs-${session}`;
}

/** Retries work while the database is unreachable. */
export async function patiently<Result>(options: {
  signal: AbortSignal;
  work: () => Promise<Result>;
  pause: () => Promise<void>;
}): Promise<Result> {
  const { signal, work, pause } = options;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isDatabaseAway(error)) throw error;
    }
    await pause();
  }
}

/** @throws InvalidSetting unless it is the address of a Postgres database */
export function requirePostgres(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidSetting({
    setting: "--queue",
    problem: "it is not an address of a Postgres database",
    hint: "Give one such as postgres://host:5432/database; user and password may come from PGUSER and PGPASSWORD",
  });
}

/** Whether an error of `pg` or of a store means that the database is unreachable. */
export function isDatabaseAway(error: unknown): boolean {
  return isAway(error) || (error instanceof StorageFailed && isAway(error.cause));
}

function unusable(error: unknown): unknown {
  // Tables of a newer version: that error already says what to do.
  if (!(error instanceof StorageFailed) || error.cause === undefined) return error;
  const { file, problem } = error.details;
  return new InvalidSetting({
    setting: "--queue",
    problem: `${file} ${problem}`,
    hint: "Check the address, the password and that Postgres is running",
  });
}
