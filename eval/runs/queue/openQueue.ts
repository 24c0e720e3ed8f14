import type PgBoss from "pg-boss";
import { InvalidSetting } from "../../../common/errors.js";
import { type Store, openStore } from "../../../storage/database.js";
import { isAway } from "../../../storage/away.js";
import { borrowPool } from "../../../storage/postgresPool.js";
import { requirePostgres } from "../../../storage/requirePostgres.js";
import { StorageFailed } from "../../../storage/sqlite.js";
import { defaultHome } from "../../../nodes/workspace/home.js";

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
  const pool = borrowPool(requirePostgres({ setting: "--queue", url }));
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
  const leases = leasesIn(sql);
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

/** Whether an error of `pg` or of a store means that the database is unreachable. */
export function isDatabaseAway(error: unknown): boolean {
  return isAway(error) || (error instanceof StorageFailed && isAway(error.cause));
}

function unusable(error: unknown): unknown {
  // Tables of a newer version: that error already says what to do.
  if (!(error instanceof StorageFailed) || error.cause === undefined) return error;
  const { file, problem, hint } = error.details;
  return new InvalidSetting({ setting: "--queue", problem: `${file} ${problem}`, hint });
}

/** What `eval run` and its workers tell each other, besides the jobs that pg-boss stores. */
interface QueueTables {
  sessions: SessionRow;
  files: FileRow;
  reports: ReportRow;
}

/** An evaluation that is being distributed, from the start of its `eval run` to its end. */
interface SessionRow {
  id: string;
  /** Id of the experiment, on which one `eval run` works at a time. */
  experiment: string;
  /** Version of tulipgraph: only the same version can read the setup and makes the same runs. */
  version: string;
  /** {@link QueueSetup} as JSON. */
  setup: string;
  /** There is a spending limit: no run may begin while its `eval run` is silent. */
  capped: boolean;
  /** When its `eval run` was last heard from, by the database's clock. */
  seen_at: Date;
}

/** A part of a file that workers need. */
interface FileRow {
  session: string;
  name: string;
  part: number;
  bytes: Uint8Array;
}

/** What a worker reports about a run: its usage so far, then its end. */
interface ReportRow {
  session: string;
  /** Id of the job. */
  job: string;
  usage: string | null;
  /** The end of the run, as JSON in a text: `jsonb` would sort its keys and refuse a null character. */
  result: string | null;
  /** Whether the current `eval run` has the result. */
  taken: boolean;
}

/** Append-only. */
const QUEUE_MIGRATIONS = {
  sqlite: [],
  postgres: [
    [
      `CREATE TABLE sessions (
         id text PRIMARY KEY,
         experiment text NOT NULL UNIQUE,
         version text NOT NULL,
         setup text NOT NULL,
         capped boolean NOT NULL,
         seen_at timestamptz NOT NULL DEFAULT now()
       )`,
      `CREATE TABLE files (
         session text NOT NULL,
         name text NOT NULL,
         part integer NOT NULL,
         bytes bytea NOT NULL,
         PRIMARY KEY (session, name, part)
       )`,
      `CREATE TABLE reports (
         session text NOT NULL,
         job uuid NOT NULL,
         usage text,
         result text,
         taken boolean NOT NULL DEFAULT false,
         PRIMARY KEY (session, job)
       )`,
    ],
  ],
};

/** Executes a statement in the queue's database. */
type Sql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/** A job that a worker holds. */
export interface HeldJob {
  id: string;
  /** How often it was taken before; distinguishes this worker from the next one. */
  takenBefore: number;
}

/**
 * Which worker holds a job. pg-boss 10 frees a job some time after it was taken; here a living worker keeps
 * renewing it, so that this time can be short. All times are by the database's clock.
 */
interface Leases {
  /** Renews jobs; returns the ids of those that this worker still holds. */
  renew: (queue: string, jobs: readonly HeldJob[]) => Promise<Set<string>>;
  /** Frees jobs as if nobody had taken them. */
  giveBack: (queue: string, jobs: readonly HeldJob[]) => Promise<void>;
  /**
   * Completes a job and stores its result in one statement, so that every completed job has exactly one
   * result. The result of a worker that has lost the job is dropped.
   */
  finish: (options: {
    queue: string;
    session: string;
    job: HeldJob;
    result: string;
  }) => Promise<void>;
  /** Ids of the jobs that were taken too often without ending. */
  givenUp: (queue: string) => Promise<string[]>;
  /** Removes all jobs, including those under way: only an empty queue can be deleted. */
  clear: (queue: string) => Promise<void>;
}

/** The statements depend on the job table of pg-boss 10, whose version is therefore pinned. */
function leasesIn(sql: Sql): Leases {
  const held = `name = $1 AND state = 'active' AND (id, retry_count) IN
    (SELECT * FROM unnest($2::uuid[], $3::int[]))`;
  return {
    renew: async (queue, jobs) => {
      const text = `UPDATE ${JOBS_SCHEMA}.job SET started_on = now() WHERE ${held} RETURNING id`;
      return idsOf(await sql(text, [queue, ...columns(jobs)]));
    },
    giveBack: async (queue, jobs) => {
      const text = `UPDATE ${JOBS_SCHEMA}.job SET state = 'created', started_on = NULL WHERE ${held}`;
      await sql(text, [queue, ...columns(jobs)]);
    },
    finish: async ({ queue, session, job, result }) => {
      const text = `WITH done AS (
          UPDATE ${JOBS_SCHEMA}.job SET state = 'completed', completed_on = now() WHERE ${held} RETURNING id
        )
        INSERT INTO tulipgraph_evaluations.reports (session, job, result) SELECT $4, id, $5 FROM done
        ON CONFLICT (session, job) DO UPDATE SET result = excluded.result`;
      await sql(text, [queue, ...columns([job]), session, result]);
    },
    givenUp: async (queue) => {
      const text = `SELECT id FROM ${JOBS_SCHEMA}.job WHERE name = $1 AND state = 'failed'`;
      return [...idsOf(await sql(text, [queue]))];
    },
    clear: async (queue) =>
      void (await sql(`DELETE FROM ${JOBS_SCHEMA}.job WHERE name = $1`, [queue])),
  };
}

function columns(jobs: readonly HeldJob[]): unknown[] {
  return [jobs.map(({ id }) => id), jobs.map(({ takenBefore }) => takenBefore)];
}

function idsOf({ rows }: { rows: unknown[] }): Set<string> {
  return new Set(rows.map((row) => (row as { id: string }).id));
}
