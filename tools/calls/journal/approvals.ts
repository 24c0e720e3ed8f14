import { persistently } from "../../../storage/postgres/unavailable.js";
import type { Store } from "../../../storage/database.js";
import type { RunTables } from "./journalSchema.js";

/** A run of a thread: one request, from its first stage on. */
export interface ThreadRun {
  threadId: string;
  runId: string;
}

/**
 * The writes that people have approved, each for one run of one thread. What a checkpoint says of approvals goes with its
 * copies; what is here does not, and ends where somebody goes back to an earlier checkpoint or changes a state.
 */
export function openApprovals(store: Store<RunTables>) {
  return {
    /** Records that a person has approved writes, by what identifies each with its place and arguments. */
    approve: (run: ThreadRun, writes: readonly string[]) =>
      persistently(store, async () => {
        if (writes.length === 0) return;
        const rows = writes.map((write) => ({ ...keyOf(run), write }));
        await store.db
          .insertInto("approvals")
          .values(rows)
          .onConflict((known) => known.columns(["thread_id", "run_id", "write"]).doNothing())
          .execute();
      }),
    /** The approved writes of a run. */
    approvedWrites: (run: ThreadRun) =>
      persistently(store, async (): Promise<ReadonlySet<string>> => {
        const rows = await store.db
          .selectFrom("approvals")
          .select("write")
          .where((one) => one.and(keyOf(run)))
          .execute();
        return new Set(rows.map(({ write }) => write));
      }),
    /** Ends all approvals of a thread: from now on each write is asked about. */
    endApprovals: (threadId: string) =>
      persistently(store, async () => {
        await store.db.deleteFrom("approvals").where("thread_id", "=", threadId).execute();
      }),
  };
}

function keyOf({ threadId, runId }: ThreadRun) {
  return { thread_id: threadId, run_id: runId };
}
