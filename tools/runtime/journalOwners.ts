import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../../storage/sqlite.js";

/** How often the owner of running calls says that it lives, in milliseconds. */
const BEAT_MS = 5_000;

/** An owner that has said nothing for this long is gone, in milliseconds. */
const SILENCE_MS = 30_000;

/** Owners that left without a word are forgotten after this time, in milliseconds. */
const FORGET_MS = 24 * 60 * 60 * 1_000;

/** Tells calls that run right now, here or in another process, from those that were interrupted. */
export interface JournalOwners {
  /** This handle's own id, written beside each call that it runs. */
  id: string;
  /** Says that this handle lives; to be called inside the transaction that begins a call. */
  beat(): void;
  isAlive(owner: string): boolean;
  leave(): void;
}

interface OwnerRow {
  host: string;
  pid: number;
  process_started: number;
  beat_at: number;
}

/**
 * An owner is one open journal. It lives when its last beat is fresh and, on the same machine, its
 * process exists: an ended process is seen at once, and the beat covers what process ids cannot say
 * (other machines and containers, ids that were given out again). An owner that is stuck for longer
 * than the silence allowed is taken for gone; that is safe, because then a read runs twice and a
 * write is not repeated.
 */
export function journalOwners(database: Database): JournalOwners {
  const self = {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    started: Math.round(performance.timeOrigin),
  };
  const find = database.prepare("SELECT * FROM owners WHERE id = ?");
  const write = database.prepare(
    `INSERT INTO owners (id, host, pid, process_started, beat_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`,
  );
  const beatWhileRunning = database.prepare(
    `UPDATE owners SET beat_at = ?
     WHERE id = ? AND EXISTS (SELECT 1 FROM calls WHERE owner = owners.id)`,
  );
  database.prepare("DELETE FROM owners WHERE beat_at < ?").run(Date.now() - FORGET_MS);
  const timer = setInterval(() => {
    try {
      beatWhileRunning.run(Date.now(), self.id);
    } catch {
      // The file is locked for long or full: the next beat makes up for this one.
    }
  }, BEAT_MS).unref();
  return {
    id: self.id,
    beat: () => write.run(self.id, self.host, self.pid, self.started, Date.now()),
    isAlive(owner) {
      const row = find.get(owner) as OwnerRow | undefined;
      if (row === undefined || Date.now() - row.beat_at > SILENCE_MS) return false;
      if (row.host !== self.host) return true;
      // A container that starts again often gives the new process the old one's id.
      if (row.pid === self.pid) return row.process_started === self.started;
      return processExists(row.pid);
    },
    leave() {
      clearInterval(timer);
      database.prepare("DELETE FROM owners WHERE id = ?").run(self.id);
    },
  };
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, and it belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
