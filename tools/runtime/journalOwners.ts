import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../../storage/sqlite.js";
import { THIS_PROCESS, isRunning } from "./processes.js";

/** How often an owner signals that it is alive, in milliseconds. */
const BEAT_MS = 5_000;

/** Without other evidence, an owner silent for this long counts as gone, in milliseconds. */
export const SILENCE_MS = 30_000;

/** Owners that vanished are forgotten after this time, in milliseconds. */
const FORGET_MS = 24 * 60 * 60 * 1_000;

/** A living owner: an open journal. */
export interface Owner {
  host: string;
  pid: number;
  /** Its last beat, in milliseconds since 1970. */
  beatAt: number;
  isThisProcess: boolean;
  isThisMachine: boolean;
}

/** Distinguishes calls still running, here or in another process, from interrupted ones. */
export interface JournalOwners {
  /** This handle's id, stored with each call it runs and each thread it holds. */
  id: string;
  /** Signals that this handle is alive; call it inside the transaction that begins something. */
  beat(): void;
  /** The owner with this id, unless it is gone. */
  living(owner: string): Owner | undefined;
  leave(): void;
}

interface OwnerRow {
  host: string;
  pid: number;
  process_started: number;
  beat_at: number;
}

/**
 * An owner is an open journal. On the same machine it lives as long as its process, even a stopped one. On
 * another machine, or if the system cannot tell, it lives while its last beat is fresh. An owner that hangs
 * longer counts as gone, and finds its calls and threads taken over when it continues.
 */
export function journalOwners(database: Database): JournalOwners {
  const id = randomUUID();
  const host = hostname();
  const find = database.prepare("SELECT * FROM owners WHERE id = ?");
  const write = database.prepare(
    `INSERT INTO owners (id, host, pid, process_started, beat_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`,
  );
  const beatWhileWorking = database.prepare(
    `UPDATE owners SET beat_at = ?
     WHERE id = ? AND (EXISTS (SELECT 1 FROM calls WHERE owner = owners.id)
                    OR EXISTS (SELECT 1 FROM holds WHERE owner = owners.id))`,
  );
  database.prepare("DELETE FROM owners WHERE beat_at < ?").run(Date.now() - FORGET_MS);
  const timer = setInterval(() => {
    try {
      beatWhileWorking.run(Date.now(), id);
    } catch {
      // The file is locked or full; the next beat makes up for this one.
    }
  }, BEAT_MS).unref();
  return {
    id,
    beat: () => write.run(id, host, THIS_PROCESS.pid, THIS_PROCESS.start, Date.now()),
    living(owner) {
      const row = find.get(owner) as OwnerRow | undefined;
      if (row === undefined) return undefined;
      const { pid, beat_at: beatAt } = row;
      const isThisMachine = row.host === host;
      const runs = isThisMachine ? isRunning({ pid, start: row.process_started }) : undefined;
      if (!(runs ?? Date.now() - beatAt <= SILENCE_MS)) return undefined;
      const isThisProcess = isThisMachine && pid === THIS_PROCESS.pid;
      return { host: row.host, pid, beatAt, isThisProcess, isThisMachine };
    },
    leave() {
      clearInterval(timer);
      database.prepare("DELETE FROM owners WHERE id = ?").run(id);
    },
  };
}
