import { join } from "node:path";
import { type Database, StorageFailed, openDatabase } from "../../storage/sqlite.js";
import { canonicalJson, sha256 } from "../library/hash.js";
import type { ToolEffects } from "../tool.js";
import { type JournalOwners, journalOwners } from "./journalOwners.js";
import { JOURNAL_MIGRATIONS } from "./journalSchema.js";
import { type ThreadHolds, threadHolds } from "./threadHolds.js";
import { type SavedWorld, type WorldStates, worldStates } from "./worldStates.js";

/** A call about to run. */
export interface CallToBegin {
  threadId: string;
  callId: string;
  /** Id of the tool. */
  tool: string;
  /** As received. They are stored unchanged, so they must not contain secrets. */
  args: unknown;
  effects: ToolEffects;
  /** Token of the run's hold on its thread; absent if nobody holds it. */
  hold?: string;
}

/** How a call ended. */
export interface CallEnd {
  status: "done" | "error" | "timeout";
  /** JSON text of the result; absent if there is none. */
  resultJson?: string;
  error?: string;
  ms: number;
  cost: number;
  /** State of the call's world, saved in the same transaction. */
  world?: SavedWorld;
}

/** An entry of the journal. */
export interface JournalEntry {
  /** Reference to the entry; see {@link Journal.result}. */
  ref: string;
  threadId: string;
  callId: string;
  tool: string;
  args: unknown;
  effects: ToolEffects;
  /** Milliseconds since 1970. */
  startedAt: number;
  /**
   * `accepted`: the tool has had no lasting effect yet · `started`: it may have had one. Either is still
   * running or was interrupted.
   */
  status: "accepted" | "started" | CallEnd["status"];
  resultJson?: string;
  error?: string;
  ms?: number;
  cost?: number;
}

/** What to do about a requested call. */
export type Claim =
  /** Not made yet, or without effect: run it, then finish or release it. */
  | { kind: "execute"; ref: string }
  /** Ended before: answer from the entry. */
  | { kind: "finished"; entry: JournalEntry }
  /** A write interrupted after its start: it may have happened and must not be repeated. */
  | { kind: "interrupted"; entry: JournalEntry }
  /** Running now, in this process or another: ask again later. */
  | { kind: "running"; entry: JournalEntry };

/** The calls of all threads and the worlds of all runs, in `runs.db`. */
export interface Journal extends WorldStates {
  /**
   * Records that a call is accepted, unless it was made before. Only one caller gets to execute it.
   * @throws StorageFailed when the thread is not held by the run that makes the call
   */
  begin(call: CallToBegin): Claim;
  /**
   * Records that a call's tool starts; call this before its code can have a lasting effect.
   * @throws StorageFailed when the call was taken over by another process
   */
  start(ref: string): void;
  /**
   * Records the end of a call and the state of its world in one transaction.
   * @throws StorageFailed when another process has taken the call over or changed the world meanwhile
   */
  finish(ref: string, end: CallEnd): void;
  /** Marks a call ended from outside as interrupted. */
  release(ref: string): void;
  /** Takes the start of a call back, of which nothing is under way: it can be made as if for the first time. */
  withdraw(ref: string): void;
  /** The calls of a thread in the order they began, including calls made by tools. */
  calls(threadId: string): JournalEntry[];
  /** The full result behind a `resultRef`; undefined if there is none. */
  result(ref: string): unknown;
  close(): void;
}

/**
 * Opens the journal of tool calls. A call is identified by thread, call id and a hash of tool and arguments:
 * the same id with edited arguments is a new call, and a fork of a thread finds what was recorded before it.
 */
export function openJournal({ home }: { home: string }): Journal & ThreadHolds {
  const file = join(home, "runs.db");
  const database = openDatabase({ file, migrations: JOURNAL_MIGRATIONS });
  const owners = journalOwners(database);
  const worlds = worldStates({ database, file });
  const holds = threadHolds({ database, owners, file });
  const sql = statements(database);
  const requireOwn = (ref: string, changes: number) => {
    if (changes > 0) return;
    throw new StorageFailed({
      file,
      problem: `call ${ref} is no longer this process's own; another one has taken it over`,
      hint: "Work on a thread with one process at a time",
    });
  };
  const begin = database.transaction((call: CallToBegin) => {
    holds.requireHold(call);
    return claimOf({ call, sql, owners });
  });
  const finish = database.transaction((ref: string, end: CallEnd) => {
    const { status, resultJson = null, error = null, ms, cost, world } = end;
    const { changes } = sql.finish.run(status, resultJson, error, ms, cost, ref, owners.id);
    requireOwn(ref, changes);
    if (world !== undefined) worlds.saveWorld(world);
  });
  return {
    ...worlds,
    ...holds,
    begin: (call) => begin.immediate(call),
    start: (ref) => requireOwn(ref, sql.start.run(Date.now(), ref, owners.id).changes),
    finish: (ref, end) => finish.immediate(ref, end),
    release: (ref) => void sql.release.run(ref, owners.id),
    withdraw: (ref) => void sql.withdraw.run(ref, owners.id),
    calls: (threadId) => (sql.list.all(threadId) as CallRow[]).map(entryOf),
    result: (ref) => parsed((sql.get.get(ref) as CallRow | undefined)?.result),
    close() {
      owners.leave();
      database.close();
    },
  };
}

/** Runs in a write transaction, so that only one of two callers gets to execute the call. */
function claimOf({
  call,
  sql,
  owners,
}: {
  call: CallToBegin;
  sql: ReturnType<typeof statements>;
  owners: JournalOwners;
}): Claim {
  const key = [call.threadId, call.callId, hashOf(call)] as const;
  owners.beat();
  const row = sql.find.get(...key) as CallRow | undefined;
  if (row === undefined) {
    const args = JSON.stringify(call.args);
    const values = [...key, call.tool, args, call.effects, owners.id, Date.now()];
    const { lastInsertRowid } = sql.insert.run(...values);
    return { kind: "execute", ref: String(lastInsertRowid) };
  }
  const entry = entryOf(row);
  if (row.status !== "accepted" && row.status !== "started") return { kind: "finished", entry };
  if (row.owner !== null && owners.living(row.owner)) return { kind: "running", entry };
  const writes = row.effects === "write" || call.effects === "write";
  if (writes && row.status === "started") return { kind: "interrupted", entry };
  sql.takeOver.run(owners.id, Date.now(), row.id);
  return { kind: "execute", ref: entry.ref };
}

interface CallRow {
  id: number;
  thread_id: string;
  call_id: string;
  tool: string;
  args: string;
  effects: ToolEffects;
  owner: string | null;
  started_at: number;
  status: JournalEntry["status"];
  result: string | null;
  error: string | null;
  ms: number | null;
  cost: number | null;
}

function statements(database: Database) {
  return {
    find: database.prepare(
      "SELECT * FROM calls WHERE thread_id = ? AND call_id = ? AND args_hash = ?",
    ),
    get: database.prepare("SELECT * FROM calls WHERE id = ?"),
    list: database.prepare("SELECT * FROM calls WHERE thread_id = ? ORDER BY id"),
    insert: database.prepare(
      `INSERT INTO calls
         (thread_id, call_id, args_hash, tool, args, effects, owner, started_at, status)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'accepted')`,
    ),
    takeOver: database.prepare("UPDATE calls SET owner = ?, started_at = ? WHERE id = ?"),
    start: database.prepare(
      `UPDATE calls SET status = 'started', started_at = ?
       WHERE id = ? AND owner = ? AND status = 'accepted'`,
    ),
    finish: database.prepare(
      `UPDATE calls SET status = ?, result = ?, error = ?, ms = ?, cost = ?, owner = NULL
       WHERE id = ? AND owner = ? AND status IN ('accepted', 'started')`,
    ),
    release: database.prepare("UPDATE calls SET owner = NULL WHERE id = ? AND owner = ?"),
    withdraw: database.prepare(
      "UPDATE calls SET owner = NULL, status = 'accepted' WHERE id = ? AND owner = ?",
    ),
  };
}

/** Includes the tool: the same id and arguments for another tool are another call. */
function hashOf({ tool, args }: CallToBegin): string {
  return sha256(canonicalJson({ tool, args }));
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
  };
}

function parsed(json: string | null | undefined): unknown {
  return json === null || json === undefined ? undefined : JSON.parse(json);
}
