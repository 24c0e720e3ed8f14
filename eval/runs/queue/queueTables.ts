/** What `eval run` and its workers tell each other, besides the jobs that pg-boss stores. */
export interface QueueTables {
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
export const QUEUE_MIGRATIONS = {
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
