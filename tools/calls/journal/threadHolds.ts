import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { TulipgraphError } from "../../../common/errors.js";
import type { Store } from "../../../storage/database.js";
import type { IfFound } from "../../../storage/checkpoints/savedRows.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import type { Owned, Owner } from "./journalOwners.js";
import type { RunTables } from "./journalSchema.js";

/** A run's right to work on a thread, until it releases the thread, or counts as dead and is replaced. */
export interface ThreadHold {
  token: string;
  isHeld: () => Promise<boolean>;
  /** Gives it back; if the store is away, as soon as it is back. */
  release: () => Promise<void>;
}

/** A run, with the token of its hold on its thread if it has one. */
export interface HeldRun {
  threadId: string;
  hold?: string;
}

/** Ensures that only one run works on a thread at a time. */
export type ThreadHolds = ReturnType<typeof threadHolds>;

/** Key of the hold in a run's config; the prefix keeps it out of metadata. */
export const HOLD_KEY = "__thread_hold";

/** Another run works on the thread, perhaps in another process. */
export class ThreadHeld extends TulipgraphError {
  readonly code = "THREAD_HELD";

  constructor(readonly details: { threadId: string; owner: Owner; since: number }) {
    super(heldText(details));
  }
}

export function threadHolds({ store, owners }: Owned) {
  return {
    /**
     * Takes the thread for a run. A holder that is gone is replaced, and its running calls count as interrupted.
     *
     * @throws ThreadHeld
     */
    async hold(threadId: string): Promise<ThreadHold> {
      const token = randomUUID();
      const own = { thread_id: threadId, token, owner: owners.id };
      const take = () => store.transaction((db) => replaced({ db, store, owners, own }));
      await persistently(store, async () => {
        await owners.beat();
        // If it was released while it was looked at, the next try finds it free.
        while (!(await takeFree(store, own)) && !(await take()));
      });
      return {
        token,
        isHeld: () =>
          persistently(store, async () => {
            const row = await holdOf(store.db, threadId).executeTakeFirst();
            return row?.token === token;
          }),
        release: () =>
          owners.eventually(() =>
            store.together(
              store.db
                .deleteFrom("holds")
                .where("thread_id", "=", threadId)
                .where("token", "=", token),
            ),
          ),
      };
    },
    /**
     * @param work done only if the run holds the thread, and nobody can take it over before it is done; only with a
     *   database
     * @throws StorageFailed when another run holds the thread, or any run if no token is given
     */
    requireHold: (run: HeldRun, work?: IfFound) =>
      persistently(store, async () => {
        const { threadId, hold } = run;
        const own = {
          sql: "SELECT 1 FROM holds WHERE thread_id = ? AND token = ?",
          parameters: [threadId, hold],
        };
        if (store.kind === "sqlite" && hold !== undefined && (await store.together(own))) return;
        await requireHold(store.db, store, run, work);
      }),
  };
}

/** A run is refused what it would store, because another one may have taken its thread over. */
export class HoldLost extends StorageFailed {}

/**
 * Inside a transaction on a database, nobody can take the thread over before it ends.
 *
 * @throws HoldLost
 */
export async function requireHold(
  db: Kysely<RunTables>,
  store: Store<RunTables>,
  { threadId, hold }: HeldRun,
  work?: IfFound,
): Promise<void> {
  // SQLite has no row locks and needs none, because a file has only one writer.
  const query = holdOf(db, threadId).$if(store.kind === "postgres", (row) => row.forShare());
  if (work && (await work(query.where("token", "=", String(hold)).compile())).length > 0) return;
  const row = await query.executeTakeFirst();
  if (!work && row?.token === hold) return;
  throw new HoldLost({
    file: store.name,
    problem: row
      ? `thread ${threadId} is held by another run, which may have taken it over from this one`
      : `thread ${threadId} is no longer held by this run`,
    hint: "Nothing more is called here; work on a thread with one process at a time",
  });
}

function holdOf(db: Kysely<RunTables>, threadId: string) {
  return db.selectFrom("holds").selectAll().where("thread_id", "=", threadId);
}

type OwnHold = Pick<RunTables["holds"], "thread_id" | "token" | "owner">;

/** Takes the thread if nobody holds it. @returns whether it has */
async function takeFree(store: Store<RunTables>, own: OwnHold): Promise<boolean> {
  // After a power cut nobody holds anything.
  return await store.together(
    store.db
      .insertInto("holds")
      .values({ ...own, taken_at: store.clock() })
      .onConflict((held) => held.column("thread_id").doNothing())
      .returning("token"),
  );
}

/**
 * Takes the thread if its holder is gone.
 *
 * @returns false if the thread was released while it was looked at
 * @throws ThreadHeld
 */
async function replaced(
  options: Owned & { db: Kysely<RunTables>; own: OwnHold },
): Promise<boolean> {
  const { db, store, owners, own } = options;
  const { thread_id: threadId, token } = own;
  const row = await holdOf(db, threadId)
    .$if(store.kind === "postgres", (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (!row) return false;
  // An earlier try was committed although its answer was lost.
  if (row.token === token) return true;
  const owner = await owners.living(row.owner, db);
  if (owner) throw new ThreadHeld({ threadId, owner, since: row.taken_at });
  await db
    .updateTable("calls")
    .set({ owner: null })
    .where("thread_id", "=", threadId)
    .where("owner", "=", row.owner)
    .execute();
  await db
    .updateTable("holds")
    .set({ ...own, taken_at: store.clock() })
    .where("thread_id", "=", threadId)
    .execute();
  return true;
}

function heldText({ threadId, owner, since }: ThreadHeld["details"]): string {
  const { host, pid, silentMs, leaseMs, isThisProcess } = owner;
  const time = `${new Date(since).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  if (isThisProcess)
    return `thread ${threadId}: another run of this process (${pid}) has been working on it since ${time}. Wait until it has ended`;
  const who = `thread ${threadId}: process ${pid} on ${host} has been working on it since ${time}`;
  if (leaseMs === undefined)
    return `${who}. Wait until it has ended, or end it (kill ${pid}), and try again`;
  const silent = Math.max(0, Math.round(silentMs / 1_000));
  return `${who}, and last gave a sign of life ${silent} s ago. Wait until it has ended, or has been silent for ${leaseMs / 1_000} s, and try again`;
}
