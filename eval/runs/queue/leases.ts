/** Does a statement in the database of the queue. */
export type Sql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/** A job that a worker is at. */
export interface HeldJob {
  id: string;
  /** How often it was taken before: tells this worker from the next one. */
  takenBefore: number;
}

/**
 * Who is at work at a job. pg-boss 10 gives a job back when so much time has passed since it was taken; here a
 * worker that lives takes it anew again and again, so that the time can be short. All by the database's clock.
 */
export interface Leases {
  /** Keeps jobs; gives the ids of those that are still this worker's. */
  renew: (queue: string, jobs: readonly HeldJob[]) => Promise<Set<string>>;
  /** Gives jobs back as if nobody had taken them. */
  giveBack: (queue: string, jobs: readonly HeldJob[]) => Promise<void>;
  /**
   * Ends a job with what came of it, in one step with its report: no job is done without a result, and none
   * has two. What a worker brings that has lost the job is dropped.
   */
  finish: (options: {
    queue: string;
    session: string;
    job: HeldJob;
    result: string;
  }) => Promise<void>;
  /** Ids of the jobs that were taken too often without coming to an end. */
  givenUp: (queue: string) => Promise<string[]>;
  /** Removes all jobs, those under way too: a queue can only be deleted without any. */
  clear: (queue: string) => Promise<void>;
}

/** These statements know the table of pg-boss 10, whose version is pinned for that. */
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
