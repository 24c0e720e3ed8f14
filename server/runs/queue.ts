import { parsed } from "../api/requests.js";
import { HttpProblem, threadUnknown } from "../problem.js";
import type { ServerStore, ServerTransaction } from "../schema.js";
import {
  type RunEnd,
  type TakenRun,
  cancelAndSettle,
  cancelRuns,
  endRun,
  lockedThread,
  takeRuns,
} from "./queueRows.js";
import { type Places, takePlace } from "./capacity.js";
import {
  type CancelAction,
  type MultitaskStrategy,
  type RunOrder,
  type RunRow,
  type ThreadRow,
  openRuns,
} from "./runRow.js";
import type { Reserve } from "../access/budgets.js";
import type { Signals } from "./signals.js";

/** The open runs, waiting or being worked on: rows of the table `runs`. */
export type RunQueue = ReturnType<typeof openQueue>;

/** A run to be queued, and what to do with its thread. */
export interface WantedRow {
  run: Pick<
    RunRow,
    | "run_id"
    | "thread_id"
    | "assistant_id"
    | "owner"
    | "caller"
    | "metadata"
    | "multitask_strategy"
    | "is_stateless"
    | "request_id"
  >;
  order: RunOrder;
  /** Sets aside what it may use, if that is bounded. */
  reserve?: Reserve;
  /** Seconds before it may begin. */
  afterSeconds: number;
  /** What the thread's row takes over from its new run. */
  thread: { metadata: Record<string, unknown>; config: Record<string, unknown> };
  /** `new`: there is none yet · `maybe new`: it is created if there is none */
  isThread: "new" | "maybe new" | "known";
  /** Whether somebody is likely to follow the thread, perhaps at another process. */
  isFollowed?: boolean;
  /** The owner whose threads the caller sees; undefined for everybody's. */
  owner: string | undefined;
}

/** The queue of a database, for one process that takes from it. */
export function openQueue(options: {
  data: ServerStore;
  signals: Signals;
  worker: string;
  leaseMs: number;
  places: Places;
}) {
  const { data, signals, worker, leaseMs, places } = options;
  const served = new Set<string>();
  /** The row of a run that this process begins at once shows no other state. */
  const putNow = async (wanted: WantedRow) => {
    const since = performance.now();
    let hasBegun = false;
    try {
      const put = await putRun(data, wanted, { worker, leaseMs });
      hasBegun = put.run.status === "running";
      if (!hasBegun) return put;
      remember(served, put.run.caller);
      places.begin({ ...put.run, queuedMs: 0, hasBegun: false, isTakenOver: false }, since);
      return put;
    } finally {
      if (!hasBegun) places.free += 1;
    }
  };
  return {
    /**
     * Queues a run behind the others of its thread, and creates or updates the thread's row.
     *
     * @throws HttpProblem 404 if there is no such thread, 422 if another run of it is open and the strategy is `reject`
     */
    put: async (wanted: WantedRow): Promise<RunRow> => {
      const isNow = wanted.afterSeconds === 0 && takePlace(places);
      const { run, isCancelling } = await (isNow ? putNow(wanted) : putRun(data, wanted));
      const topic = `thread:${run.thread_id}`;
      if (wanted.isFollowed) signals.send(topic);
      else signals.sendHere(topic);
      if (run.status === "running") return run;
      places.areWanted ||= places.free <= 0;
      // Whoever does not take it would look for it in vain, and ask the database.
      if (places.haveRoom()) signals.sendHere("queue");
      else signals.sendAway("queue");
      if (isCancelling) signals.send("cancel");
      return run;
    },
    /** Takes runs to work on: those that are due, and those whose process has died. One per thread at a time. */
    take: async (most: number): Promise<TakenRun[]> => {
      const taken = await takeRuns({ data, worker, leaseMs, most, served: [...served] });
      for (const { caller } of taken) remember(served, caller);
      return taken;
    },
    /**
     * Renews the leases of the runs that this process works on. A run that it took without learning of it, because the
     * database's answer was lost, is not renewed, and so goes to another process.
     *
     * @returns the runs that it still has, and how they are to be cancelled, if at all
     */
    beat: async (runIds: readonly string[]): Promise<Map<string, CancelAction | null>> => {
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
    },
    /**
     * Ends a run that this process has, and updates its thread. `rollback` deletes the run; without a new status for the
     * thread, the thread is deleted too.
     *
     * @returns false if another process has the run by now
     */
    end: async (end: RunEnd): Promise<boolean> => {
      const { hasEnded, hasNext } = await endRun(data, worker, end);
      signals.send(`run:${end.runId}`);
      if (hasNext) signals.send("queue");
      return hasEnded;
    },
    /**
     * Leaves a run to any process, which goes on from its last checkpoint after a pause.
     *
     * @param run.isCounted whether this start of it was one
     */
    giveBack: async (
      run: Pick<RunEnd, "runId" | "attempt"> & { isCounted: boolean; pauseMs: number },
    ) => {
      const { runId, attempt, isCounted, pauseMs } = run;
      const now = Math.floor(await data.now());
      await data.db
        .updateTable("runs")
        .set((row) => ({
          status: "pending",
          lease_until: 0,
          attempts: row("attempts", "-", isCounted ? 0 : 1),
          due_at: pauseMs === 0 ? row.ref("due_at") : now + pauseMs,
        }))
        .where("run_id", "=", runId)
        .where("lease_owner", "=", worker)
        .where("attempts", "=", attempt)
        .where("status", "=", "running")
        .execute();
      signals.send("queue");
    },
    /** Asks for runs to be ended. Those that nobody works on end at once. */
    cancel: async (runs: readonly RunRow[], action: CancelAction) => {
      await cancelAndSettle(data, runs, action);
      signals.send("cancel");
      signals.send("queue");
      for (const { run_id } of runs) signals.send(`run:${run_id}`);
    },
  };
}

/** Callers that are remembered as served lately. */
const MOST_SERVED = 50;

/** The one that was served last comes last. */
function remember(served: Set<string>, caller: string): void {
  served.delete(caller);
  served.add(caller);
  const [longestAgo = ""] = served;
  if (served.size > MOST_SERVED) served.delete(longestAgo);
}

/** @param lease of the process that begins it at once, if nothing else is under way on its thread */
async function putRun(
  data: ServerStore,
  wanted: WantedRow,
  lease?: { worker: string; leaseMs: number },
): Promise<{ run: RunRow; isCancelling: boolean }> {
  const { run } = wanted;
  const now = Math.floor(await data.now());
  if (wanted.isThread === "new" && !wanted.reserve) {
    const row = rowOf(wanted, { now, lease });
    const thread = data.db.insertInto("threads").values(threadOf(wanted, now));
    await data.together(thread.returning("thread_id"), data.db.insertInto("runs").values(row));
    await data.sync();
    return { run: row, isCancelling: false };
  }
  return await data.transaction(async (db) => {
    const owner = await putThread(data, db, now, wanted);
    const open = await openRuns(db).selectAll().where("thread_id", "=", run.thread_id).execute();
    const strategy = run.multitask_strategy as MultitaskStrategy;
    if (open.length > 0 && strategy === "reject") throw threadBusy(run.thread_id);
    const replaces = strategy === "interrupt" || strategy === "rollback";
    const isCancelling = replaces && open.length > 0;
    const granted = await wanted.reserve?.(db, now);
    if (isCancelling) await cancelRuns({ data, db, runs: open, action: strategy });
    const begun = open.length === 0 ? lease : undefined;
    const row = { ...rowOf(wanted, { now, lease: begun, granted }), owner };
    await db.insertInto("runs").values(row).execute();
    return { run: row, isCancelling };
  });
}

function rowOf(
  { run, order, afterSeconds }: WantedRow,
  {
    now,
    lease,
    granted: { usd, tokens } = {},
  }: {
    now: number;
    lease?: { worker: string; leaseMs: number };
    granted?: Awaited<ReturnType<Reserve>>;
  },
): RunRow {
  // A run may spend what is set aside for it, so that many at once do not overspend.
  const context = usd === undefined ? order.context : { ...order.context, budget: `$${usd}` };
  return {
    ...run,
    kwargs: JSON.stringify({ ...order, context, tokens }),
    reserved_tokens: tokens ?? null,
    reserved_usd: usd ?? null,
    status: lease ? "running" : "pending",
    created_at: now,
    updated_at: now,
    due_at: now + Math.round(afterSeconds * 1_000),
    lease_owner: lease?.worker ?? null,
    lease_until: lease ? now + lease.leaseMs : 0,
    attempts: lease ? 1 : 0,
    cancel: null,
    error: null,
    outcome: null,
    usage: null,
  };
}

function threadBusy(threadId: string): HttpProblem {
  return new HttpProblem({
    status: 422,
    problem: `thread ${threadId} is already running a task`,
    hint: 'Wait for it to finish, or choose a multitask_strategy: "enqueue", "interrupt" or "rollback"',
  });
}

/**
 * Locks the thread, so that of two runs queued at once the second knows of the first.
 *
 * @returns its owner, to whom the run belongs, too: an administrator's run on another's thread shows what is on it
 */
async function putThread(data: ServerStore, db: ServerTransaction, now: number, wanted: WantedRow) {
  const { run, thread, isThread, owner } = wanted;
  const known = await lockedThread(data, db, run.thread_id);
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
    return known.owner;
  }
  // Another owner's thread is not revealed.
  if (known || isThread === "known") throw threadUnknown(run.thread_id);
  const row = threadOf(wanted, now);
  await db.insertInto("threads").values(row).execute();
  return row.owner;
}

function threadOf({ run, thread }: WantedRow, now: number): ThreadRow {
  return {
    thread_id: run.thread_id,
    owner: run.owner,
    status: "busy",
    metadata: JSON.stringify({ ...parsed(run.metadata), ...thread.metadata }),
    config: JSON.stringify(thread.config),
    error: null,
    ttl_minutes: null,
    created_at: now,
    updated_at: now,
  };
}
