import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../../storage/sqlite.js";
import { THIS_PROCESS, isRunning } from "./processes.js";

/** How often an owner says that it lives, in milliseconds. */
const BEAT_MS = 5_000;

/** Where nothing else tells, an owner that has said nothing for this long is gone, in milliseconds. */
export const SILENCE_MS = 30_000;

/** Owners that left without a word are forgotten after this time, in milliseconds. */
const FORGET_MS = 24 * 60 * 60 * 1_000;

/** Who works with a journal: one that lives. */
export interface Owner {
  host: string;
  pid: number;
  /** When it last said that it lives, in milliseconds since 1970. */
  beatAt: number;
  isThisProcess: boolean;
  isThisMachine: boolean;
}

/** Tells what others work on right now, here or in another process, from what was interrupted. */
export interface JournalOwners {
  /** This handle's own id, written beside each call that it runs and each thread that it holds. */
  id: string;
  /** Says that this handle lives; to be called inside the transaction that begins something. */
  beat(): void;
  /** The owner of that id, unless it is gone. */
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
 * An owner is one open journal. On the same machine it lives as long as its process does, even a stopped one.
 * On another machine, or where the system does not say enough of processes, it lives while its last beat is
 * fresh; one that is stuck for longer is taken for gone, and finds its calls and threads taken over when it
 * goes on.
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
      // The file is locked for long or full: the next beat makes up for this one.
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
