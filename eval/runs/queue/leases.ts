/** Executes a statement in the queue's database. */
export type Sql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

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
export interface Leases {
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
export function leasesIn({ sql, schema }: { sql: Sql; schema: string }): Leases {
  const held = `name = $1 AND state = 'active' AND (id, retry_count) IN
    (SELECT * FROM unnest($2::uuid[], $3::int[]))`;
  return {
    renew: async (queue, jobs) => {
      const text = `UPDATE ${schema}.job SET started_on = now() WHERE ${held} RETURNING id`;
      return idsOf(await sql(text, [queue, ...columns(jobs)]));
    },
    giveBack: async (queue, jobs) => {
      const text = `UPDATE ${schema}.job SET state = 'created', started_on = NULL WHERE ${held}`;
      await sql(text, [queue, ...columns(jobs)]);
    },
    finish: async ({ queue, session, job, result }) => {
      const text = `WITH done AS (
          UPDATE ${schema}.job SET state = 'completed', completed_on = now() WHERE ${held} RETURNING id
        )
        INSERT INTO tulipgraph_evaluations.reports (session, job, result) SELECT $4, id, $5 FROM done
        ON CONFLICT (session, job) DO UPDATE SET result = excluded.result`;
      await sql(text, [queue, ...columns([job]), session, result]);
    },
    givenUp: async (queue) => {
      const text = `SELECT id FROM ${schema}.job WHERE name = $1 AND state = 'failed'`;
      return [...idsOf(await sql(text, [queue]))];
    },
    clear: async (queue) => void (await sql(`DELETE FROM ${schema}.job WHERE name = $1`, [queue])),
  };
}

function columns(jobs: readonly HeldJob[]): unknown[] {
  return [jobs.map(({ id }) => id), jobs.map(({ takenBefore }) => takenBefore)];
}

function idsOf({ rows }: { rows: unknown[] }): Set<string> {
  return new Set(rows.map((row) => (row as { id: string }).id));
}
