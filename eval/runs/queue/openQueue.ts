import PgBoss from "pg-boss";
import { InvalidSetting } from "../../../common/errors.js";
import { type Store, openStore } from "../../../storage/database.js";
import { isAway } from "../../../storage/away.js";
import { borrowPool } from "../../../storage/postgresPool.js";
import { StorageFailed } from "../../../storage/sqlite.js";
import { defaultHome } from "../../../workspace/home.js";
import { type Leases, type Sql, leasesIn } from "./leases.js";
import { QUEUE_MIGRATIONS, type QueueTables } from "./queueTables.js";

/** A Postgres database through which runs are distributed over machines. */
export interface RunQueue {
  /** Host, port and database, for messages. */
  name: string;
  store: Store<QueueTables>;
  /** Keeps the jobs; maintains nothing by itself. */
  boss: PgBoss;
  /** What pg-boss has no word for: who is at work at a job, and for how long. */
  leases: Leases;
  close: () => Promise<void>;
}

/** The schema that pg-boss keeps its tables in. */
const JOBS_SCHEMA = "tulipgraph_queue";

/**
 * Opens the queue in a database, whose tables are made where they are missing.
 *
 * @throws InvalidSetting when the database cannot be reached within half a minute
 * @throws StorageFailed when its tables are of a newer version
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
  const boss = new PgBoss({
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

/** Does what a database that is away for a while only delays. */
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

/** @throws InvalidSetting for what is no address of a Postgres database */
export function requirePostgres(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidSetting({
    setting: "--queue",
    problem: "it is no address of a Postgres database",
    hint: "Give one such as postgres://host:5432/database; user and password may come from PGUSER and PGPASSWORD",
  });
}

/** Whether the database could not be asked, as `pg` says it or as a store does. */
export function isDatabaseAway(error: unknown): boolean {
  return isAway(error) || (error instanceof StorageFailed && isAway(error.cause));
}

function unusable(error: unknown): unknown {
  // Of a newer version: that says itself what to do.
  if (!(error instanceof StorageFailed) || error.cause === undefined) return error;
  const { file, problem } = error.details;
  return new InvalidSetting({
    setting: "--queue",
    problem: `${file} ${problem}`,
    hint: "Check the address, the password and that Postgres is running",
  });
}
