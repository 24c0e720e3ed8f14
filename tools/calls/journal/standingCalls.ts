import { persistently } from "../../../storage/postgres/unavailable.js";
import type { Store } from "../../../storage/database.js";
import type { RunTables } from "./journalSchema.js";

/** A write that stands although the run that made it was rolled back. */
export interface StandingCall {
  /** Reference to its entry in the journal. */
  ref: string;
  tool: string;
  args: Record<string, unknown>;
  /** `started`: nobody knows whether it was made. */
  status: "started" | "done" | "error" | "timeout";
  /** JSON. */
  result: string | null;
}

/** Rolling a run back forgets what it has saved, but what it has changed elsewhere stays as it is. */
export function openStandingCalls(store: Store<RunTables>) {
  const writesOf = (threadId: string) =>
    store.db
      .selectFrom("calls")
      .selectAll()
      .where("thread_id", "=", threadId)
      .where("effects", "=", "write")
      // Before its start, a call has changed nothing.
      .where("status", "<>", "accepted")
      .orderBy("id");
  const standingCalls = async (threadId: string) => {
    const rows = await writesOf(threadId).where("is_untold", "=", 1).execute();
    return rows.map(({ id, tool, args, status, result }): StandingCall => ({
      ref: String(id),
      tool,
      args: JSON.parse(args) as StandingCall["args"],
      status: status as StandingCall["status"],
      result,
    }));
  };
  return {
    /** The writes of a thread's rolled-back runs, in the order in which they began. */
    standingCalls: (threadId: string) => persistently(store, () => standingCalls(threadId)),
    /**
     * Notes which writes of a rolled-back run the state of its thread does not tell of.
     *
     * @param run.since when the run began
     * @param run.told ids of the calls that the state tells of
     */
    rollBack: (run: { threadId: string; since: number; told: ReadonlySet<string> }) =>
      persistently(store, async () => {
        const { threadId, since, told } = run;
        const rows = await writesOf(threadId).where("started_at", ">=", since).execute();
        // Calls that a call has made are in its own entry.
        const untold = rows.filter(({ call_id }) => !told.has(call_id) && !call_id.includes("/"));
        if (untold.length > 0) {
          const ids = untold.map(({ id }) => id);
          await store.db
            .updateTable("calls")
            .set({ is_untold: 1 })
            .where("id", "in", ids)
            .execute();
        }
        return await standingCalls(threadId);
      }),
  };
}
