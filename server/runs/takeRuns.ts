import type { ExpressionBuilder } from "kysely";
import type { ServerStore, ServerTables } from "../schema.js";
import type { RunRow } from "./runRow.js";

/** A run that this process works on. */
export interface TakenRun extends RunRow {
  /** Milliseconds since it was due. */
  queuedMs: number;
  /** A process has worked on it before. */
  hasBegun: boolean;
}

/** Takes runs that are due and first of their thread, and runs whose process has let its lease run out. */
export async function takeRuns(options: {
  data: ServerStore;
  worker: string;
  leaseMs: number;
  most: number;
}): Promise<TakenRun[]> {
  const { data, worker, leaseMs, most } = options;
  const now = Math.floor(await data.now());
  const lease = { status: "running", lease_owner: worker, lease_until: now + leaseMs };
  return await data.transaction(async (db) => {
    const rows = await db
      .selectFrom("runs as run")
      .selectAll("run")
      .where((run) =>
        run.or([
          run.and([run("run.status", "=", "running"), run("run.lease_until", "<", now)]),
          run.and([
            run("run.status", "=", "pending"),
            run("run.due_at", "<=", now),
            run.not(run.exists(ahead(run, now))),
          ]),
        ]),
      )
      .orderBy("run.created_at")
      .orderBy("run.run_id")
      .limit(most)
      .$if(data.kind === "postgres", (query) => query.forUpdate().skipLocked())
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ run_id }) => run_id);
    await db
      .updateTable("runs")
      .set((row) => ({ ...lease, attempts: row("attempts", "+", 1), updated_at: now }))
      .where("run_id", "in", ids)
      .execute();
    return rows.map((row) => ({
      ...row,
      ...lease,
      attempts: row.attempts + 1,
      queuedMs: Math.max(0, now - row.due_at),
      hasBegun: row.lease_owner !== null,
    }));
  });
}

/** Runs of the same thread that come first: those that have begun, then those that were queued earlier. */
function ahead(
  run: ExpressionBuilder<ServerTables & { run: ServerTables["runs"] }, "run">,
  now: number,
) {
  return run
    .selectFrom("runs as other")
    .select("other.run_id")
    .whereRef("other.thread_id", "=", "run.thread_id")
    .whereRef("other.run_id", "<>", "run.run_id")
    .where((other) =>
      other.or([
        other("other.status", "=", "running"),
        other.and([
          other("run.lease_owner", "is", null),
          other("other.status", "=", "pending"),
          other.or([
            other("other.lease_owner", "is not", null),
            other.and([
              other("other.due_at", "<=", now),
              other.or([
                other("other.created_at", "<", other.ref("run.created_at")),
                other.and([
                  other("other.created_at", "=", other.ref("run.created_at")),
                  other("other.run_id", "<", other.ref("run.run_id")),
                ]),
              ]),
            ]),
          ]),
        ]),
      ]),
    );
}
