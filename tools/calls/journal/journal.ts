import { randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { type DataPlace, type Store, openStore } from "../../../storage/database.js";
import { sql } from "../../../storage/kysely.js";
import { persistently, storableText } from "../../../storage/postgres/unavailable.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";
import type { ToolEffects } from "../../tool.js";
import { LEASE_MS, type Owned, journalOwners } from "./journalOwners.js";
import { RUN_MIGRATIONS, type RunTables } from "./journalSchema.js";
import { openApprovals } from "./approvals.js";
import { openStandingCalls } from "./standingCalls.js";
import type { SeenResults } from "./seenResults.js";
import type { ToolUses } from "./toolUses.js";
import type { ThreadFiles } from "../../remote.js";
import { type HeldRun, requireHold, threadHolds } from "./threadHolds.js";
import { type SavedWorld, saveWorldWithin, worldStates } from "../worlds/worldStates.js";

export interface CallToBegin {
  threadId: string;
  callId: string;
  tool: string;
  args: unknown;
  effects: ToolEffects;
  /** Token of the run's hold on its thread; absent if nobody holds it. */
  hold?: string;
  /** On whose behalf it is made. */
  owner?: string;
  /** The run that makes it. */
  runId?: string;
  /** Reference to the write that it takes back. */
  undoes?: string;
}

/** What a read gave of what a write changes, before or after it. */
export interface Look {
  /** Id of the read. */
  tool: string;
  args: Record<string, unknown>;
  /** Absent if there was nothing to be seen, which `error` says. */
  value?: unknown;
  error?: string;
}

export interface CallEnd {
  status: "done" | "error" | "timeout";
  resultJson?: string;
  error?: string;
  ms: number;
  cost: number;
  /** State of the call's world, saved in the same transaction. */
  world?: SavedWorld;
}

export interface JournalEntry
  extends
    Omit<CallToBegin, "hold" | "owner">,
    Partial<Pick<CallEnd, "resultJson" | "error" | "ms" | "cost">> {
  /** Reference to the entry; see {@link Journal.result}. */
  ref: string;
  startedAt: number;
  /**
   * `accepted`: the tool has had no lasting effect yet · `started`: it may have had one. In both cases the call is
   * still running or was interrupted.
   */
  status: CallRow["status"];
  /** The owner on whose behalf it was made; absent on a machine that asks nobody who they are. */
  onBehalfOf?: string;
  before?: Look;
  after?: Look;
}

/** A call that only this process may make, until it releases the call or counts as dead. */
export interface ClaimedCall {
  /** Reference to the entry; see {@link Journal.result}. */
  ref: string;
  claim: string;
  /** The task that an earlier process has begun, with which the call goes on. */
  task?: string;
}

/** What to do about a requested call. */
export type Claim =
  /** Not made yet, or had no effect: run it, then finish or release it. */
  | ({ kind: "execute" } & ClaimedCall)
  /** Ended before: answer from the entry. */
  | { kind: "finished"; entry: JournalEntry }
  /** A write that was interrupted after its start, and is not a task: it may have happened and must not be repeated. */
  | { kind: "interrupted"; entry: JournalEntry }
  /** Running now, in this process or another: ask again later. */
  | { kind: "running"; entry: JournalEntry };

/** An open journal. */
export type Journal = ReturnType<typeof openJournal>;

/**
 * Opens the journal: the calls of all threads and the worlds of all runs, in `runs.db` or a Postgres database. A call is
 * identified by thread, call id and a hash of tool and arguments: the same id with edited arguments is a new call, and a
 * fork of a thread finds what was recorded before it.
 *
 * If the database is away, every method waits a while for it. If the connection breaks before an answer comes, nothing is
 * recorded twice.
 *
 * @param settings.leaseMs how long other processes wait for this one without a sign of life, in milliseconds
 * @throws StorageFailed, from each method, when the store is away for too long, full or read-only
 */
export function openJournal(place: DataPlace, settings: { leaseMs?: number } = {}) {
  const { leaseMs = LEASE_MS } = settings;
  const store = openStore<RunTables>({ place, store: "runs", migrations: RUN_MIGRATIONS });
  const owners = journalOwners(store, leaseMs);
  const own = ownCalls({ store, owners });
  return {
    ...openApprovals(store),
    ...openStandingCalls(store),
    ...worldStates(store),
    ...lateParts(store),
    ...threadHolds({ store, owners }),
    ...own,
    /**
     * Records that a call is accepted, unless it was made before. Only one caller gets to execute it.
     *
     * @throws StorageFailed when the thread is not held by the run that makes the call
     */
    async begin(call: CallToBegin): Promise<Claim> {
      const claim = randomUUID();
      try {
        return await persistently(store, async () => {
          await owners.beat();
          const asked = { store, owners, call, claim };
          const again = () => store.transaction((db) => claimKnown({ db, ...asked }));
          while (true) {
            const answer = (await claimNew(asked)) ?? (await again());
            if (answer) return answer;
          }
        });
      } catch (error) {
        // The call may have been recorded nevertheless.
        await owners.eventually(() => own.freed(claim).execute(), error);
        throw error;
      }
    },
    /**
     * Records what became of an interrupted write of a thread that the run holds: how it ended, or that it was not made,
     * and can be made as if for the first time.
     */
    settle: ({ ref, ...run }: HeldRun & { ref: string }, end?: CallEnd) =>
      persistently(store, () =>
        store.transaction(async (db) => {
          await requireHold(db, store, run);
          await db
            .updateTable("calls")
            .set({
              ...(end ? endOf(end) : { status: "accepted" as const }),
              owner: null,
              task: null,
            })
            .where("id", "=", Number(ref))
            .where("thread_id", "=", run.threadId)
            .where("status", "=", "started")
            .execute();
        }),
      ),
    /** The calls of a thread in the order they began, including calls made by tools; with `under`, what their ids begin with. */
    calls: (threadId: string, under = "") =>
      persistently(store, async () => {
        const rows = callsOf(store.db)
          .where("thread_id", "=", threadId)
          .where("call_id", "like", `${under}%`)
          .orderBy("id");
        return (await rows.execute()).map(entryOf);
      }),
    /** Deletes the calls of threads, what was approved of them, their worlds and their files. */
    forget: (threadIds: readonly string[]) =>
      persistently(store, async () => {
        await store.db.deleteFrom("calls").where("thread_id", "in", threadIds).execute();
        await store.db.deleteFrom("approvals").where("thread_id", "in", threadIds).execute();
        await store.db.deleteFrom("worlds").where("run_id", "in", threadIds).execute();
        await store.db.deleteFrom("files").where("thread_id", "in", threadIds).execute();
      }),
    /** How many threads have called a tool. */
    threadsOf: (tool: string) =>
      persistently(store, async () => {
        const { threads } = await store.db
          .selectFrom("calls")
          .where("tool", "=", tool)
          .select(({ fn }) => fn.count<number | string>("thread_id").distinct().as("threads"))
          .executeTakeFirstOrThrow();
        return Number(threads);
      }),
    /** The full result behind a `resultRef`; undefined if there is none. */
    result: (ref: string) =>
      persistently(store, async () => {
        if (!/^\d{1,15}$/.test(ref)) return undefined;
        const row = await callsOf(store.db).where("id", "=", Number(ref)).executeTakeFirst();
        return parsed(row?.result);
      }),
    async close() {
      await owners.leave();
      await store.close();
    },
  };
}

/** Parts that are loaded when they are first needed: files, results of tools that declare none, large libraries. */
function lateParts(store: Store<RunTables>): ThreadFiles & SeenResults & ToolUses {
  const files = openedOnce(async () => (await import("./threadFiles.js")).threadFiles(store));
  const results = openedOnce(async () => (await import("./seenResults.js")).openSeenResults(store));
  const uses = openedOnce(async () => (await import("./toolUses.js")).openToolUses(store));
  return {
    keepFile: async (file) => await (await files()).keepFile(file),
    files: async (threadId, names) =>
      names.length === 0 ? [] : await (await files()).files(threadId, names),
    copyFiles: async (threads) => await (await files()).copyFiles(threads),
    learn: async (call) => await (await results()).learn(call),
    seenResults: async (hashes) =>
      hashes.length === 0 ? new Map() : await (await results()).seenResults(hashes),
    toolUses: async () => await (await uses()).toolUses(),
  };
}

function openedOnce<Part>(open: () => Promise<Part>): () => Promise<Part> {
  let opened: Promise<Part> | undefined;
  return () => (opened ??= open());
}

/** What can be done with a claimed call. All of it may be done twice. */
function ownCalls({ store, owners }: Owned) {
  const freed = (claim: string) =>
    store.db
      .updateTable("calls")
      .set({ owner: null })
      .where("owner", "=", owners.id)
      .where("claim", "=", claim);
  const release = ({ claim }: ClaimedCall, failure?: unknown) =>
    owners.eventually(() => freed(claim).execute(), failure);
  const withdraw = ({ claim }: ClaimedCall, failure?: unknown) =>
    owners.eventually(() => freed(claim).set({ status: "accepted" }).execute(), failure);
  return {
    freed,
    /** Marks a call that was ended from outside as interrupted; if the store is away, as soon as it is back. */
    release: (call: ClaimedCall) => release(call),
    /** Takes back the start of a call, once nothing of it is under way: it can be made as if for the first time. */
    withdraw: (call: ClaimedCall) => withdraw(call),
    /**
     * Records that a call's tool starts; wait for this before its code can have a lasting effect.
     *
     * @throws StorageFailed when the call was taken over by another process
     */
    async start(call: ClaimedCall) {
      const started = () =>
        running(store.db, owners, call)
          .set({ status: "started", started_at: store.clock() })
          .executeTakeFirst();
      try {
        let asked: number;
        do {
          asked = performance.now();
          const { numUpdatedRows } = await persistently(store, started);
          if (numUpdatedRows === 0n) throw takenOver(store, call);
          // An answer that comes after a halt proves nothing: another process may have taken the call over since.
        } while (performance.now() - asked > owners.leaseMs);
      } catch (error) {
        // The tool's code will not run, whatever was recorded.
        await withdraw(call, error);
        throw error;
      }
    },
    /**
     * Records the task that a call is at its other side, or that it is none any more.
     *
     * @throws StorageFailed when the call was taken over by another process
     */
    async noteTask(call: ClaimedCall, task: string | undefined) {
      const noted = () =>
        running(store.db, owners, call)
          .set({ task: task ?? null })
          .executeTakeFirst();
      const { numUpdatedRows } = await persistently(store, noted);
      if (numUpdatedRows === 0n) throw takenOver(store, call);
    },
    /** Records what was seen before or after a write. */
    async noteLook(ref: string, look: { before?: Look; after?: Look }) {
      const [[name, seen] = ["after", undefined]] = Object.entries(look);
      const noted = () =>
        store.db
          .updateTable("calls")
          .set({ [name]: JSON.stringify(seen) })
          .where("id", "=", Number(ref))
          .execute();
      await persistently(store, noted);
    },
    /**
     * Records the end of a call and the state of its world in one transaction. If that fails, the call counts as
     * interrupted.
     *
     * @throws StorageFailed when another process has meanwhile taken the call over or changed the world
     */
    async finish(call: ClaimedCall, end: CallEnd) {
      try {
        await persistently(store, async () => {
          if (end.world === undefined && (await endIfOwn({ db: store.db, owners, call, end })))
            return;
          await store.transaction((db) => endInTransaction({ db, store, owners, call, end }));
        });
      } catch (error) {
        await release(call, error);
        throw error;
      }
    },
  };
}

function running(db: Kysely<RunTables>, owners: Owned["owners"], call: ClaimedCall) {
  return db
    .updateTable("calls")
    .where("id", "=", Number(call.ref))
    .where("owner", "=", owners.id)
    .where("claim", "=", call.claim)
    .where("status", "in", ["accepted", "started"]);
}

function takenOver({ name: file }: Store<RunTables>, { ref }: ClaimedCall): StorageFailed {
  return new StorageFailed({
    file,
    problem: `call ${ref} is no longer this process's own; another one has taken it over`,
    hint: "Work on a thread with one process at a time",
  });
}

async function endInTransaction(
  options: Owned & { db: Kysely<RunTables>; call: ClaimedCall; end: CallEnd },
): Promise<void> {
  const { db, store, call, end } = options;
  if (await endIfOwn(options)) {
    if (end.world !== undefined) await saveWorldWithin(db, store, end.world);
    return;
  }
  // An earlier try may have been committed although its answer was lost.
  const row = await callsOf(db).where("id", "=", Number(call.ref)).executeTakeFirst();
  if (row?.claim !== call.claim || !hasEnded(row)) throw takenOver(store, call);
}

/** Ends a call, and returns whether it was still this process's own. */
async function endIfOwn(
  options: Pick<Owned, "owners"> & { db: Kysely<RunTables>; call: ClaimedCall; end: CallEnd },
): Promise<boolean> {
  const { db, owners, call, end } = options;
  const { numUpdatedRows } = await running(db, owners, call)
    .set({ ...endOf(end), owner: null })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function endOf({ status, resultJson, error, ms, cost }: CallEnd) {
  const told = error === undefined ? null : storableText(error);
  return { status, result: resultJson ?? null, error: told, ms, cost };
}

type Claiming = Owned & { call: CallToBegin; claim: string };

/**
 * The usual case in one statement: the run holds the thread, and the call was not made yet.
 *
 * @returns undefined in every other case
 */
async function claimNew({ store, owners, call, claim }: Claiming): Promise<Claim | undefined> {
  const { threadId, hold, tool, effects } = call;
  const entry = {
    ...keyOf(call),
    tool,
    args: JSON.stringify(call.args),
    effects,
    owner: owners.id,
    claim,
    started_at: store.clock(),
    status: "accepted" as const,
    on_behalf_of: call.owner || null,
    run_id: call.runId ?? null,
    undoes: call.undoes === undefined ? null : Number(call.undoes),
  };
  const values = Object.entries(entry).map(([name, value]) => sql`${value}`.as(name));
  const holds = store.db.selectFrom("holds").where("thread_id", "=", threadId);
  const allowed =
    hold === undefined
      ? store.db.selectNoFrom(values).where((is) => is.not(is.exists(holds.select("holds.token"))))
      : holds
          .where("token", "=", hold)
          .select(values)
          .$if(store.kind === "postgres", (row) => row.forShare());
  const inserted = await store.db
    .insertInto("calls")
    .columns(Object.keys(entry) as (keyof typeof entry)[])
    .expression(allowed)
    .onConflict((known) => known.columns(["thread_id", "call_id", "args_hash"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted && { kind: "execute", ref: String(inserted.id), claim };
}

/**
 * Only one of several callers gets to execute the call; the others wait for the lock on its entry.
 *
 * @returns undefined if there is no entry, because the thread was released just now
 */
async function claimKnown(
  options: Claiming & { db: Kysely<RunTables> },
): Promise<Claim | undefined> {
  const { db, store, owners, call, claim } = options;
  await requireHold(db, store, call);
  const row = await callsOf(db)
    .where((one) => one.and(keyOf(call)))
    .$if(store.kind === "postgres", (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (!row) return undefined;
  const entry = entryOf(row);
  const { task } = row;
  const execute = {
    kind: "execute",
    ref: entry.ref,
    claim,
    ...(task !== null && { task }),
  } as const;
  if (hasEnded(row)) return { kind: "finished", entry };
  // An earlier try was committed although its answer was lost.
  if (row.claim === claim) return execute;
  if (row.owner !== null && (await owners.living(row.owner, db))) return { kind: "running", entry };
  const writes = row.effects === "write" || call.effects === "write";
  if (writes && row.status === "started" && task === null) return { kind: "interrupted", entry };
  const own = {
    owner: owners.id,
    claim,
    started_at: store.clock(),
    on_behalf_of: call.owner || null,
  };
  await db.updateTable("calls").set(own).where("id", "=", row.id).execute();
  return execute;
}

function callsOf(db: Kysely<RunTables>) {
  return db.selectFrom("calls").selectAll();
}

type CallRow = Selectable<RunTables["calls"]>;

function hasEnded({ status }: Pick<CallRow, "status">): boolean {
  return status !== "accepted" && status !== "started";
}

function keyOf(call: CallToBegin) {
  // The same id and arguments for another tool are another call.
  const { threadId: thread_id, callId, tool, args } = call;
  return {
    thread_id,
    call_id: storableText(callId),
    args_hash: sha256(canonicalJson({ tool, args })),
  };
}

function entryOf(row: CallRow): JournalEntry {
  return {
    ref: String(row.id),
    threadId: row.thread_id,
    callId: row.call_id,
    tool: row.tool,
    args: parsed(row.args),
    effects: row.effects,
    startedAt: row.started_at,
    status: row.status,
    ...(row.result === null ? {} : { resultJson: row.result }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.ms === null ? {} : { ms: row.ms }),
    ...(row.cost === null ? {} : { cost: row.cost }),
    ...(row.on_behalf_of === null ? {} : { onBehalfOf: row.on_behalf_of }),
    ...(row.run_id === null ? {} : { runId: row.run_id }),
    ...(row.before === null ? {} : { before: parsed(row.before) as Look }),
    ...(row.after === null ? {} : { after: parsed(row.after) as Look }),
    ...(row.undoes === null ? {} : { undoes: String(row.undoes) }),
  };
}

function parsed(json: string | null | undefined): unknown {
  return json === null || json === undefined ? undefined : JSON.parse(json);
}
