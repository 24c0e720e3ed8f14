import { sql } from "../../storage/kysely.js";
import type { Query, ServerStore, ServerTransaction } from "../schema.js";
import { type CancelAction, type RunRow, type ThreadRow, isOpen, openRuns } from "./runRow.js";

/** How a run ended. */
export interface RunEnd {
  runId: string;
  /** The attempt that ends it: the same process may have taken it again since. */
  attempt: number;
  threadId: string;
  status: "success" | "error" | "interrupted" | "rollback";
  error?: string;
  /** How its request has ended, and what it has used by then, as JSON. */
  outcome: string | null;
  usage: string | null;
  /** What becomes of its thread; the thread is deleted if this is absent. */
  thread?: ThreadEnd;
  /** Queries for what else belongs to the end, and is written only with it. */
  also: (db: ServerTransaction) => Query[];
}

/** The status of a thread that has no more open runs. */
export interface ThreadEnd {
  status: "idle" | "interrupted" | "error";
  error?: string;
}

/**
 * Ends a run that this process works on.
 *
 * @returns whether it has ended, which it has not if another process, or a later attempt, has it by now, and whether
 *   others of its thread wait
 */
export async function endRun(data: ServerStore, worker: string, end: RunEnd) {
  const { runId, attempt, threadId, status, error = null, outcome, usage, thread, also } = end;
  const now = Math.floor(await data.now());
  const ended = (db: ServerTransaction) =>
    db
      .updateTable("runs")
      .set({ status, error, outcome, usage, updated_at: now, lease_until: 0 })
      .where("run_id", "=", runId)
      .where("lease_owner", "=", worker)
      .where("attempts", "=", attempt)
      .where("status", "=", "running")
      .returning("run_id");
  // Nobody else works on a thread that goes with its run.
  if (thread === undefined && status !== "rollback") {
    const gone = data.db.deleteFrom("threads").where("thread_id", "=", threadId);
    const hasEnded = await data.together(ended(data.db), gone, ...also(data.db));
    return { hasEnded, hasNext: false };
  }
  return await data.transaction(async (db) => {
    await lockedThread(data, db, threadId);
    if ((await ended(db).executeTakeFirst()) === undefined)
      return { hasEnded: false, hasNext: false };
    const hasNext = thread !== undefined && (await settleThread(db, threadId, now, thread));
    if (thread === undefined)
      await db.deleteFrom("threads").where("thread_id", "=", threadId).execute();
    for (const query of also(db)) await query.execute();
    if (status === "rollback") await db.deleteFrom("runs").where("run_id", "=", runId).execute();
    return { hasEnded: true, hasNext };
  });
}

/** A thread stays busy as long as it has open runs. @returns whether it has */
async function settleThread(
  db: ServerTransaction,
  threadId: string,
  now: number,
  thread: ThreadEnd = { status: "idle" },
): Promise<boolean> {
  const ofThread = openRuns(db).select("run_id").where("thread_id", "=", threadId);
  const next = await ofThread.executeTakeFirst();
  await db
    .updateTable("threads")
    .set({
      status: next ? "busy" : thread.status,
      error: thread.error ?? null,
      updated_at: now,
    })
    .where("thread_id", "=", threadId)
    .execute();
  return next !== undefined;
}

/**
 * Cancels runs and updates their threads. Threads are locked before their runs, and in one order, because transactions
 * that lock them in different orders could wait for each other for ever.
 */
export async function cancelAndSettle(
  data: ServerStore,
  runs: readonly RunRow[],
  action: CancelAction,
): Promise<void> {
  const now = Math.floor(await data.now());
  const threads = [...new Set(runs.map(({ thread_id }) => thread_id))].toSorted();
  await data.transaction(async (db) => {
    for (const threadId of threads) await lockedThread(data, db, threadId);
    await cancelRuns({ data, db, runs, action });
    for (const threadId of threads) await settleThread(db, threadId, now);
  });
}

/**
 * Cancels runs whose threads are locked already. The runs are locked, too: a process that takes one meanwhile must be
 * seen. Those that no process had begun have ended then.
 */
export async function cancelRuns(options: {
  data: ServerStore;
  db: ServerTransaction;
  runs: readonly RunRow[];
  action: CancelAction;
}): Promise<void> {
  const { data, db, runs, action } = options;
  const wanted = runs.filter(isOpen).map(({ run_id }) => run_id);
  if (wanted.length === 0) return;
  const open = await openRuns(db)
    .select(["run_id", "lease_owner"])
    .where("run_id", "in", wanted)
    .orderBy("run_id")
    .$if(data.kind === "postgres", (query) => query.forUpdate())
    .execute();
  const idsOf = (isBegun: boolean) =>
    open.filter((run) => (run.lease_owner !== null) === isBegun).map(({ run_id }) => run_id);
  const [begun, unbegun] = [idsOf(true), idsOf(false)];
  // A run that has begun is ended by the process that has it.
  if (begun.length > 0) {
    const asked = { cancel: action, due_at: 0 };
    await db.updateTable("runs").set(asked).where("run_id", "in", begun).execute();
  }
  if (unbegun.length === 0) return;
  if (action === "rollback") {
    await db.deleteFrom("runs").where("run_id", "in", unbegun).execute();
  } else {
    const ended = { status: "interrupted" };
    await db.updateTable("runs").set(ended).where("run_id", "in", unbegun).execute();
  }
}

/** The row of a thread, which nobody else can change until the transaction ends. */
export async function lockedThread(data: ServerStore, db: ServerTransaction, threadId: string) {
  return await db
    .selectFrom("threads")
    .selectAll()
    .where("thread_id", "=", threadId)
    // On SQLite a write transaction locks the whole file.
    .$if(data.kind === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Adds to what a thread's metadata say, or replaces parts of it. */
export async function changeMetadata(
  data: ServerStore,
  threadId: string,
  metadata: Record<string, unknown>,
  ttl?: number,
): Promise<ThreadRow> {
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    const known = await lockedThread(data, db, threadId);
    const before = JSON.parse(known?.metadata ?? "{}") as object;
    return await db
      .updateTable("threads")
      .set({
        metadata: JSON.stringify({ ...before, ...metadata }),
        updated_at: now,
        ...(ttl === undefined ? {} : { ttl_minutes: ttl }),
      })
      .where("thread_id", "=", threadId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** A run that this process works on. */
export interface TakenRun extends RunRow {
  /** Milliseconds since it was due. */
  queuedMs: number;
  /** A process has worked on it before. */
  hasBegun: boolean;
  /** The process that worked on it has given no sign of life for the length of its lease. */
  isTakenOver: boolean;
}

/** The pause after the first start that fails, which doubles with each further one, in milliseconds. */
const PAUSE_MS = 1_000;

/** How long a run waits before its next start, in milliseconds, after so many in a row that have got it no further. */
export function pauseAfter(failedStarts: number): number {
  return PAUSE_MS * 2 ** (failedStarts - 1);
}

/** Takes runs that are due and first of their thread, and those whose process has let its lease run out. */
export async function takeRuns(options: {
  data: ServerStore;
  worker: string;
  leaseMs: number;
  most: number;
  /** Callers that this process has served, the last of them last: their runs come after those of others. */
  served: readonly string[];
}): Promise<TakenRun[]> {
  const { data, worker, leaseMs, most, served } = options;
  const now = Math.floor(await data.now());
  const lease = { status: "running", lease_owner: worker, lease_until: now + leaseMs };
  return await data.transaction(async (db) => {
    const rows = await db
      .selectFrom("runs as run")
      .selectAll("run")
      .where(isTakeable(now))
      .$if(served.length > 0, (runs) => runs.orderBy(turnOf(served)))
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
      isTakenOver: row.status === "running",
    }));
  });
}

/** When it is a caller's turn, so that one with many runs does not keep out the others. */
function turnOf(served: readonly string[]) {
  const turns = served.map((caller, at) => sql`WHEN ${caller} THEN ${sql.lit(at + 1)}`);
  return sql<number>`CASE run.caller ${sql.join(turns, sql` `)} ELSE 0 END`;
}

/**
 * Whether a run's process is gone, or the run is due and first of its thread: before it come those that have begun, then
 * those that were queued earlier.
 */
function isTakeable(now: number) {
  return sql<boolean>`(run.status = 'running' and run.lease_until < ${now})
    or (run.status = 'pending' and run.due_at <= ${now} and not exists (
      select 1 from ${sql.table("runs")} other
      where other.thread_id = run.thread_id and other.run_id <> run.run_id and (
        other.status = 'running'
        or (other.status = 'pending' and run.lease_owner is null and (
          other.lease_owner is not null
          or (other.due_at <= ${now}
            and (other.created_at, other.run_id) < (run.created_at, run.run_id)))))))`;
}
