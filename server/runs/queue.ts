import type { ExpressionBuilder, Kysely } from "kysely";
import type { Store } from "../../storage/database.js";
import { HttpProblem } from "../problem.js";
import type { ServerTables } from "../schema.js";
import {
  type CancelAction,
  type MultitaskStrategy,
  type RunRow,
  type ThreadRow,
  isOpen,
} from "./runRow.js";
import type { Signals } from "./signals.js";

/** Runs that wait for a process, and those that processes work on: rows of the table `runs`. */
export interface RunQueue {
  /**
   * Puts a run behind those of its thread, whose row it makes or changes.
   *
   * @throws HttpProblem 404 without the thread, 422 while another run of it has not ended, as its strategy says
   */
  put: (wanted: WantedRow) => Promise<RunRow>;
  /** Takes runs to work on: those that are due, and those whose process has died. One of a thread at a time. */
  take: (most: number) => Promise<TakenRun[]>;
  /**
   * Keeps runs that this process works on; one that was given to it without its knowledge goes to another in the end.
   *
   * @returns those it still has, and how they are to be ended, if they are
   */
  beat: (runIds: readonly string[]) => Promise<Map<string, CancelAction | null>>;
  /**
   * Ends a run that this process has, with its thread. `rollback` deletes the run, and without what became of the
   * thread that one is deleted too. False if the run is another's by now.
   */
  end: (run: RunEnd) => Promise<boolean>;
  /** Leaves a run to any process, which goes on from its last checkpoint. */
  giveBack: (runId: string) => Promise<void>;
  /** Asks for runs to be ended; those that nobody works on end at once. */
  cancel: (runs: readonly RunRow[], action: CancelAction) => Promise<void>;
}

/** A run that is to be put into the queue, with what to do with its thread. */
export interface WantedRow {
  run: Omit<
    RunRow,
    | "created_at"
    | "updated_at"
    | "due_at"
    | "lease_owner"
    | "lease_until"
    | "attempts"
    | "cancel"
    | "error"
    | "status"
  >;
  /** Seconds before it may begin. */
  afterSeconds: number;
  /** A time (ms) before which it may not begin whatever it asks for. */
  notBefore?: number;
  /** What the thread is known by, from its new run. */
  thread: { metadata: Record<string, unknown>; config: Record<string, unknown> };
  /** Makes the thread if there is none. */
  createsThread: boolean;
  /** Whose threads are seen; undefined for everybody's. */
  owner: string | undefined;
}

export interface TakenRun extends RunRow {
  /** Milliseconds for which it was due. */
  queuedMs: number;
  /** A process has worked on it before. */
  hasBegun: boolean;
}

export interface RunEnd {
  runId: string;
  threadId: string;
  status: "success" | "error" | "interrupted" | "rollback";
  error?: string;
  thread?: ThreadEnd;
}

export interface ThreadEnd {
  status: "idle" | "interrupted" | "error";
  error?: string;
}

/** The queue of a database, for one process that takes from it. */
export function openQueue(options: {
  data: Store<ServerTables>;
  signals: Signals;
  /** Id of the process. */
  worker: string;
  leaseMs: number;
  /** Is told of runs that ended before any process began them. */
  onDropped: (runIds: readonly string[]) => Promise<void>;
}): RunQueue {
  const { data, signals, worker, leaseMs, onDropped } = options;
  return {
    put: async (wanted) => {
      const { run, dropped } = await putRun({ data, wanted });
      await onDropped(dropped);
      signals.send("queue");
      if (run.multitask_strategy !== "enqueue") signals.send("cancel");
      return run;
    },
    take: (most) => takeRuns({ data, worker, leaseMs, most }),
    beat: (runIds) => keepRuns({ data, worker, leaseMs, runIds }),
    end: async (end) => {
      const hasEnded = await endRun({ data, worker, end });
      signals.send(`run:${end.runId}`);
      signals.send("queue");
      return hasEnded;
    },
    giveBack: async (runId) => {
      await data.db
        .updateTable("runs")
        .set((row) => ({
          status: "pending",
          lease_until: 0,
          attempts: row("attempts", "-", 1),
        }))
        .where("run_id", "=", runId)
        .where("lease_owner", "=", worker)
        .where("status", "=", "running")
        .execute();
      signals.send("queue");
    },
    cancel: async (runs, action) => {
      const now = Math.floor(await data.now());
      await onDropped(
        await data.transaction((db) => cancelAndSettle({ data, db, runs, action, now })),
      );
      signals.send("cancel");
      signals.send("queue");
      for (const { run_id } of runs) signals.send(`run:${run_id}`);
    },
  };
}

async function putRun({
  data,
  wanted,
}: {
  data: Store<ServerTables>;
  wanted: WantedRow;
}): Promise<{ run: RunRow; dropped: readonly string[] }> {
  const { run, afterSeconds, notBefore = 0 } = wanted;
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    await putThread({ data, db, now, wanted });
    const open = await db
      .selectFrom("runs")
      .selectAll()
      .where("thread_id", "=", run.thread_id)
      .where("status", "in", ["pending", "running"])
      .execute();
    const strategy = run.multitask_strategy as MultitaskStrategy;
    if (open.length > 0 && strategy === "reject") throw threadBusy(run.thread_id);
    const replaces = strategy === "interrupt" || strategy === "rollback";
    const dropped = replaces ? await cancelRuns({ data, db, runs: open, action: strategy }) : [];
    const row: RunRow = {
      ...run,
      status: "pending",
      created_at: now,
      updated_at: now,
      due_at: Math.max(notBefore, now + Math.round(afterSeconds * 1_000)),
      lease_owner: null,
      lease_until: 0,
      attempts: 0,
      cancel: null,
      error: null,
    };
    await db.insertInto("runs").values(row).execute();
    return { run: row, dropped };
  });
}

function threadBusy(threadId: string): HttpProblem {
  return new HttpProblem({
    status: 422,
    problem: `thread ${threadId} is already running a task`,
    hint: 'Wait for it to finish, or choose a multitask_strategy: "enqueue", "interrupt" or "rollback"',
  });
}

/** The thread is locked, so that of two runs that come at once the second knows of the first. */
async function putThread(options: {
  data: Store<ServerTables>;
  db: Kysely<ServerTables>;
  now: number;
  wanted: WantedRow;
}): Promise<void> {
  const { data, db, now, wanted } = options;
  const { run, thread, createsThread, owner } = wanted;
  const known = await lockedThread({ data, db, threadId: run.thread_id });
  if (known && (owner === undefined || known.owner === owner)) {
    await db
      .updateTable("threads")
      .set({
        status: "busy",
        metadata: JSON.stringify({ ...parsed(known.metadata), ...thread.metadata }),
        config: JSON.stringify(thread.config),
        updated_at: now,
      })
      .where("thread_id", "=", run.thread_id)
      .execute();
    return;
  }
  // Another owner's thread is not told of.
  if (known || !createsThread) throw threadUnknown(run.thread_id);
  const row: ThreadRow = {
    thread_id: run.thread_id,
    owner: run.owner,
    status: "busy",
    metadata: JSON.stringify({ ...parsed(run.metadata), ...thread.metadata }),
    config: JSON.stringify(thread.config),
    error: null,
    created_at: now,
    updated_at: now,
  };
  await db.insertInto("threads").values(row).execute();
}

function parsed(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

export function threadUnknown(threadId: string): HttpProblem {
  return new HttpProblem({
    status: 404,
    problem: `thread ${threadId} not found`,
    hint: 'Create it first (POST /threads), or send "if_not_exists": "create" with the run',
  });
}

async function lockedThread(options: {
  data: Store<ServerTables>;
  db: Kysely<ServerTables>;
  threadId: string;
}): Promise<ThreadRow | undefined> {
  const { data, db, threadId } = options;
  return await db
    .selectFrom("threads")
    .selectAll()
    .where("thread_id", "=", threadId)
    // On SQLite a write transaction has the whole file.
    .$if(data.kind === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

async function takeRuns(options: {
  data: Store<ServerTables>;
  worker: string;
  leaseMs: number;
  most: number;
}): Promise<TakenRun[]> {
  const { data, worker, leaseMs, most } = options;
  const now = Math.floor(await data.now());
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
            run.not(run.exists(ahead({ run, now }))),
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
      .set((row) => ({
        status: "running",
        lease_owner: worker,
        lease_until: now + leaseMs,
        attempts: row("attempts", "+", 1),
        updated_at: now,
      }))
      .where("run_id", "in", ids)
      .execute();
    return rows.map((row) =>
      Object.assign(row, {
        status: "running",
        lease_owner: worker,
        lease_until: now + leaseMs,
        attempts: row.attempts + 1,
        queuedMs: Math.max(0, now - row.due_at),
        hasBegun: row.lease_owner !== null,
      }),
    );
  });
}

/** Runs of the same thread that go before: whatever has begun, then whatever came earlier. */
function ahead({
  run,
  now,
}: {
  run: ExpressionBuilder<ServerTables & { run: ServerTables["runs"] }, "run">;
  now: number;
}) {
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

async function keepRuns(options: {
  data: Store<ServerTables>;
  worker: string;
  leaseMs: number;
  runIds: readonly string[];
}): Promise<Map<string, CancelAction | null>> {
  const { data, worker, leaseMs, runIds } = options;
  const now = Math.floor(await data.now());
  const kept = await data.db
    .updateTable("runs")
    .set({ lease_until: now + leaseMs })
    .where("run_id", "in", runIds)
    .where("lease_owner", "=", worker)
    .where("status", "=", "running")
    .returning(["run_id", "cancel"])
    .execute();
  return new Map(kept.map(({ run_id, cancel }) => [run_id, cancel as CancelAction | null]));
}

async function endRun(options: {
  data: Store<ServerTables>;
  worker: string;
  end: RunEnd;
}): Promise<boolean> {
  const { data, worker, end } = options;
  const { runId, threadId, status, error = null, thread } = end;
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    await lockedThread({ data, db, threadId });
    const ended = await db
      .updateTable("runs")
      .set({ status, error, updated_at: now, lease_until: 0 })
      .where("run_id", "=", runId)
      .where("lease_owner", "=", worker)
      .where("status", "=", "running")
      .returning("run_id")
      .executeTakeFirst();
    if (ended === undefined) return false;
    if (status === "rollback") await db.deleteFrom("runs").where("run_id", "=", runId).execute();
    if (thread) await settleThread({ db, threadId, now, thread });
    else await db.deleteFrom("threads").where("thread_id", "=", threadId).execute();
    return true;
  });
}

/** A thread is busy as long as there are runs to come. */
async function settleThread(options: {
  db: Kysely<ServerTables>;
  threadId: string;
  now: number;
  thread?: ThreadEnd;
}): Promise<void> {
  const { db, threadId, now, thread = { status: "idle" } } = options;
  const next = await db
    .selectFrom("runs")
    .select("run_id")
    .where("thread_id", "=", threadId)
    .where("status", "in", ["pending", "running"])
    .executeTakeFirst();
  await db
    .updateTable("threads")
    .set({
      status: next ? "busy" : thread.status,
      error: thread.error ?? null,
      updated_at: now,
    })
    .where("thread_id", "=", threadId)
    .execute();
}

/** Threads before their runs, in one order: whoever locks them otherwise might wait for each other for ever. */
async function cancelAndSettle(options: {
  data: Store<ServerTables>;
  db: Kysely<ServerTables>;
  runs: readonly RunRow[];
  action: CancelAction;
  now: number;
}): Promise<readonly string[]> {
  const { data, db, runs, action, now } = options;
  const threads = [...new Set(runs.map(({ thread_id }) => thread_id))].toSorted();
  for (const threadId of threads) await lockedThread({ data, db, threadId });
  const dropped = await cancelRuns({ data, db, runs, action });
  for (const threadId of threads) await settleThread({ db, threadId, now });
  return dropped;
}

/**
 * The runs are locked first: one that a process takes meanwhile is seen as taken.
 *
 * @returns ids of the runs that no process had begun, which have ended with this
 */
async function cancelRuns(options: {
  data: Store<ServerTables>;
  db: Kysely<ServerTables>;
  runs: readonly RunRow[];
  action: CancelAction;
}): Promise<readonly string[]> {
  const { data, db, runs, action } = options;
  const wanted = runs.filter(isOpen).map(({ run_id }) => run_id);
  if (wanted.length === 0) return [];
  const open = await db
    .selectFrom("runs")
    .select(["run_id", "lease_owner"])
    .where("run_id", "in", wanted)
    .where("status", "in", ["pending", "running"])
    .orderBy("run_id")
    .$if(data.kind === "postgres", (query) => query.forUpdate())
    .execute();
  const idsOf = (isBegun: boolean) =>
    open.filter((run) => (run.lease_owner !== null) === isBegun).map(({ run_id }) => run_id);
  const [begun, unbegun] = [idsOf(true), idsOf(false)];
  // What a process has begun, that one ends, or whichever goes on with it.
  if (begun.length > 0) {
    const asked = { cancel: action, due_at: 0 };
    await db.updateTable("runs").set(asked).where("run_id", "in", begun).execute();
  }
  if (unbegun.length === 0) return [];
  if (action === "rollback") {
    await db.deleteFrom("runs").where("run_id", "in", unbegun).execute();
  } else {
    const ended = { status: "interrupted" };
    await db.updateTable("runs").set(ended).where("run_id", "in", unbegun).execute();
  }
  return unbegun;
}
