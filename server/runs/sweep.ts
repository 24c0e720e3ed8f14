import type { Store } from "../../storage/database.js";
import type { ServerTables } from "../schema.js";

/** How often old events are looked for, in milliseconds. */
const SWEEP_MS = 60_000;

/** Runs whose events are deleted at once. */
const BATCH = 500;

/** Deletes events of runs that ended some time ago, and the rows of stateless ones. */
export function startSweeping({ data, keptMs }: { data: Store<ServerTables>; keptMs: number }): {
  end: () => void;
} {
  // What a database that is away keeps is swept the next time.
  const timer = setInterval(() => void sweep({ data, keptMs }).catch(() => undefined), SWEEP_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

/** @returns how many runs' events were deleted */
export async function sweep({
  data,
  keptMs,
}: {
  data: Store<ServerTables>;
  keptMs: number;
}): Promise<number> {
  const before = (await data.now()) - keptMs;
  const old = await data.db
    .selectFrom("runs")
    .select(["run_id", "is_stateless"])
    .where("status", "not in", ["pending", "running"])
    .where("updated_at", "<", before)
    .where((run) =>
      run.or([
        run("is_stateless", "=", 1),
        run.exists(
          run
            .selectFrom("run_events")
            .select("run_events.run_id")
            .whereRef("run_events.run_id", "=", "runs.run_id"),
        ),
      ]),
    )
    .limit(BATCH)
    .execute();
  if (old.length === 0) return 0;
  const ids = old.map(({ run_id }) => run_id);
  const stateless = old
    .filter(({ is_stateless }) => is_stateless === 1)
    .map(({ run_id }) => run_id);
  await data.db.deleteFrom("run_events").where("run_id", "in", ids).execute();
  if (stateless.length > 0) {
    await data.db.deleteFrom("runs").where("run_id", "in", stateless).execute();
  }
  return old.length;
}
