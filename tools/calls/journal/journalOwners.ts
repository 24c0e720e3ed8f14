import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Kysely } from "kysely";
import { isAway } from "../../../storage/postgres/unavailable.js";
import type { Store } from "../../../storage/database.js";
import { sql } from "../../../storage/kysely.js";
import type { RunTables } from "./journalSchema.js";

/** Without other evidence, an owner silent for this long counts as gone, in milliseconds. */
export const LEASE_MS = 30_000;

const BEATS_PER_LEASE = 6;

/** Owners that vanished are forgotten after this time, in milliseconds. */
const FORGET_MS = 24 * 60 * 60 * 1_000;

export interface Owner {
  host: string;
  pid: number;
  /** Time since its last beat, in milliseconds. */
  silentMs: number;
  /** An owner silent for longer counts as gone; absent if its process can be looked at instead. */
  leaseMs?: number;
  isThisProcess: boolean;
}

export interface Owned {
  store: Store<RunTables>;
  /** Distinguishes calls still running, here or in another process, from interrupted ones. */
  owners: ReturnType<typeof journalOwners>;
}

/** The owners in this process. Host and process id are not enough: those of containers may be the same elsewhere. */
const here = new Set<string>();

/**
 * An owner is an open journal. With files, an owner on the same machine lives as long as its process, even if that is
 * stopped. Otherwise it lives while its last beat is recent by the store's clock: with a database, host names and process
 * ids prove nothing, because containers and copies of machines share them. An owner that hangs longer than its lease
 * counts as gone, and finds its calls and threads taken over when it continues.
 */
export function journalOwners(store: Store<RunTables>, leaseMs: number) {
  const id = randomUUID();
  const host = hostname();
  const beatMs = leaseMs / BEATS_PER_LEASE;
  const debts: (() => Promise<unknown>)[] = [];
  let lastBeat = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let begun: Promise<void> | undefined;
  let pulsing: Promise<void> | undefined;
  let paying: Promise<void> | undefined;
  const beatWhileWorking = async () => {
    const { numUpdatedRows } = await store.db
      .updateTable("owners")
      .set({ beat_at: store.clock() })
      .where("id", "=", id)
      .where((has) =>
        has.or([
          has.exists(has.selectFrom("calls").select("calls.id").where("calls.owner", "=", id)),
          has.exists(has.selectFrom("holds").select("holds.token").where("holds.owner", "=", id)),
        ]),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n) lastBeat = performance.now();
  };
  const payAll = async () => {
    for (let debt = debts[0]; debt; debt = debts[0]) {
      await debt();
      debts.shift();
    }
  };
  const payDebts = () => (paying ??= payAll().finally(() => (paying = undefined)));
  const pulse = async () => {
    try {
      await beatWhileWorking();
      await payDebts();
    } catch {
      // The store is locked, full or away; the next beat makes up for this one.
    }
  };
  const begin = async () => {
    await forgetOthers(store);
    here.add(id);
    timer = setInterval(() => {
      pulsing ??= pulse().finally(() => (pulsing = undefined));
    }, beatMs).unref();
  };
  return {
    /** The id of this open journal, stored with each call it runs and each thread it holds. */
    id,
    leaseMs,
    /** Signals that this owner is alive, unless it has done so lately; call it before something begins. */
    async beat() {
      const now = performance.now();
      if (now - lastBeat < beatMs) return;
      await (begun ??= begin().catch((error: unknown) => {
        begun = undefined;
        throw error;
      }));
      const { pid, start: process_started } = THIS_PROCESS;
      await store.db
        .insertInto("owners")
        .values({ id, host, pid, process_started, beat_at: store.clock(), lease_ms: leaseMs })
        .onConflict((known) => known.column("id").doUpdateSet({ beat_at: store.clock() }))
        .execute();
      lastBeat = now;
    },
    /** The owner with this id, unless it is gone. */
    async living(owner: string, db: Kysely<RunTables>): Promise<Owner | undefined> {
      const row = await db
        .selectFrom("owners")
        .selectAll()
        .select(sql<number>`${store.clock()} - beat_at`.as("silent_ms"))
        .where("id", "=", owner)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { pid, process_started: start, silent_ms: silentMs } = row;
      const isThisMachine = store.kind === "sqlite" && row.host === host;
      const runs = isThisMachine ? isRunning({ pid, start }) : undefined;
      if (!(runs ?? silentMs <= row.lease_ms)) return undefined;
      const isThisProcess = here.has(owner) && row.host === host && pid === THIS_PROCESS.pid;
      const lease = runs === undefined ? { leaseMs: row.lease_ms } : {};
      return { host: row.host, pid, silentMs, ...lease, isThisProcess };
    },
    /**
     * Gives something back, and retries with each beat if that fails: nobody else would take it as long as this owner is
     * alive. It may be done twice.
     *
     * @param failure why it is given back; if the store is away, the first try is at the next beat
     */
    async eventually(giveBack: () => Promise<unknown>, failure?: unknown) {
      const isKnownAway = isAway(failure) || (debts.length > 0 && !paying);
      debts.push(giveBack);
      if (!isKnownAway) await payDebts().catch(() => undefined);
    },
    async leave() {
      clearInterval(timer);
      await pulsing;
      here.delete(id);
      if (lastBeat === -Infinity) return;
      // Without its row, this owner counts as gone, and what it still had as free.
      await store.db
        .deleteFrom("owners")
        .where("id", "=", id)
        .execute()
        .catch(() => undefined);
    },
  };
}

/** Forgets owners that vanished long ago, and frees what they had. */
async function forgetOthers(store: Store<RunTables>): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .deleteFrom("owners")
      .where("beat_at", "<", sql<number>`${store.clock()} - ${FORGET_MS}`)
      .execute();
    await db
      .deleteFrom("holds")
      .where("owner", "not in", (query) => query.selectFrom("owners").select("owners.id"))
      .execute();
    await db
      .updateTable("calls")
      .set({ owner: null })
      .where("owner", "is not", null)
      .where("owner", "not in", (query) => query.selectFrom("owners").select("owners.id"))
      .execute();
  });
}

/** This process; its start distinguishes it from other processes with the same id. */
const THIS_PROCESS = {
  pid: process.pid,
  start: statOf(process.pid)?.start ?? Math.round(performance.timeOrigin),
};

/**
 * Whether a process of this machine still runs; a stopped one does. Undefined if a process has this id but its
 * start time is unknown.
 */
function isRunning({ pid, start }: typeof THIS_PROCESS): boolean | undefined {
  // A restarted container often gives the new process the old id.
  if (pid === THIS_PROCESS.pid) return start === THIS_PROCESS.start;
  if (!exists(pid)) return false;
  const stat = statOf(pid);
  return stat && !stat.hasEnded && stat.start === start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** What Linux reports about a process: its start, and whether it has ended but its parent has not noticed. */
function statOf(pid: number): { start: number; hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name comes first and may contain anything, even brackets and blanks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { start: Number(fields[19]), hasEnded: ["Z", "X"].includes(fields[0] ?? "") };
  } catch {
    return undefined;
  }
}
