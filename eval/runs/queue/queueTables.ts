/** What `eval run` and its workers tell each other beside the jobs themselves, which pg-boss keeps. */
export interface QueueTables {
  sessions: SessionRow;
  files: FileRow;
  reports: ReportRow;
}

/** An evaluation that is being distributed, from the start of its `eval run` to its end. */
interface SessionRow {
  id: string;
  /** Id of the experiment, which one `eval run` at a time works at. */
  experiment: string;
  /** Version of tulipgraph: only the same one can read the setup, and makes the same runs. */
  version: string;
  /** {@link QueueSetup} as JSON. */
  setup: string;
  /** Whether no run may begin while nobody counts the dollars. */
  capped: boolean;
  /** When its `eval run` was last heard of, by the database's clock. */
  seen_at: Date;
}

/** A part of a file that workers need. */
interface FileRow {
  session: string;
  name: string;
  part: number;
  bytes: Uint8Array;
}

/** What a worker says of a run: what it has used so far, then its end. */
interface ReportRow {
  session: string;
  /** Id of the job. */
  job: string;
  usage: string | null;
  /** The end of the run, as JSON in a text: `jsonb` would sort its keys and refuse a null character. */
  result: string | null;
  /** Whether the present `eval run` has the result. */
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
