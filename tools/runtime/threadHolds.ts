import { randomUUID } from "node:crypto";
import { TulipgraphError } from "../../common/errors.js";
import { type Database, StorageFailed } from "../../storage/sqlite.js";
import { type JournalOwners, type Owner, SILENCE_MS } from "./journalOwners.js";

/** The right of a run to work on a thread, until it releases it or is taken for dead and replaced. */
export interface ThreadHold {
  /** Identifies the hold, stored with the calls made under it. */
  token: string;
  /** Whether the run still has it. */
  isHeld(): boolean;
  release(): void;
}

/** Ensures that only one run works on a thread at a time. */
export interface ThreadHolds {
  /**
   * Takes the thread for a run. A holder that is gone is replaced, and its running calls count as interrupted.
   * @throws ThreadHeld
   */
  hold(threadId: string): ThreadHold;
  /** @throws StorageFailed when another run holds the thread, or any run if no token is given */
  requireHold(run: { threadId: string; hold?: string }): void;
}

/** Key of the hold in a run's config; the prefix keeps it out of metadata. */
export const HOLD_KEY = "__thread_hold";

/** Another run is working on the thread. */
export class ThreadHeld extends TulipgraphError {
  readonly code = "THREAD_HELD";

  constructor(readonly details: { threadId: string; owner: Owner; since: number }) {
    super(heldText(details));
  }
}

/** The holds' table of an open journal. */
export function threadHolds({
  database,
  owners,
  file,
}: {
  database: Database;
  owners: JournalOwners;
  file: string;
}): ThreadHolds {
  const sql = statements(database);
  const find = (threadId: string) => sql.find.get(threadId) as HoldRow | undefined;
  const take = database.transaction((threadId: string, token: string) => {
    const row = find(threadId);
    const owner = row && owners.living(row.owner);
    if (owner) throw new ThreadHeld({ threadId, owner, since: row.taken_at });
    if (row) sql.disown.run(threadId, row.owner);
    owners.beat();
    sql.take.run(threadId, token, owners.id, Date.now());
  });
  return {
    hold(threadId) {
      const token = randomUUID();
      take.immediate(threadId, token);
      return {
        token,
        isHeld: () => find(threadId)?.token === token,
        release() {
          // Closing the journal has already released everything.
          if (database.open) sql.release.run(threadId, token);
        },
      };
    },
    requireHold({ threadId, hold }) {
      const row = find(threadId);
      if (row?.token === hold) return;
      throw new StorageFailed({
        file,
        problem: row
          ? `thread ${threadId} is held by another run, which may have taken it over from this one`
          : `thread ${threadId} is no longer held by this run`,
        hint: "Nothing more is called here; work on a thread with one process at a time",
      });
    },
  };
}

interface HoldRow {
  token: string;
  owner: string;
  taken_at: number;
}

function statements(database: Database) {
  database.prepare("DELETE FROM holds WHERE owner NOT IN (SELECT id FROM owners)").run();
  return {
    find: database.prepare("SELECT * FROM holds WHERE thread_id = ?"),
    take: database.prepare(
      "INSERT OR REPLACE INTO holds (thread_id, token, owner, taken_at) VALUES (?, ?, ?, ?)",
    ),
    disown: database.prepare("UPDATE calls SET owner = NULL WHERE thread_id = ? AND owner = ?"),
    release: database.prepare("DELETE FROM holds WHERE thread_id = ? AND token = ?"),
  };
}

function heldText({ threadId, owner, since }: ThreadHeld["details"]): string {
  const { host, pid, beatAt, isThisProcess, isThisMachine } = owner;
  const time = `${new Date(since).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  if (isThisProcess) {
    return `thread ${threadId}: another run of this process (${pid}) works on it since ${time}. Wait until that one has ended`;
  }
  const who = `thread ${threadId}: process ${pid} on ${host} works on it since ${time}`;
  if (isThisMachine) {
    return `${who}. Wait until it has ended, or end it (kill ${pid}), and try again`;
  }
  const silent = Math.round((Date.now() - beatAt) / 1_000);
  return `${who} and was heard of ${silent} s ago. Wait until it has ended, or has been silent for ${SILENCE_MS / 1_000} s, and try again`;
}
