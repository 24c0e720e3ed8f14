import type { ServerStore } from "../schema.js";
import type { RunEvent, RunEvents } from "./runEvents.js";
import { type RunRow, isOpen, runRow } from "./runRow.js";
import type { Signals } from "./signals.js";

/** How often a thread is looked at for runs that nobody has told of, in milliseconds. */
const LOOK_MS = 2_000;

/** What happens on a thread: an event of a run, or that the run has ended. */
export interface ThreadEvent {
  run: RunRow;
  /** Absent once the run has ended. */
  event?: RunEvent;
  /** Id of the last event before the end. */
  last?: number;
}

/** Follows threads: their runs, one after the other, as long as their events are kept. */
export function openThreadReader(data: ServerStore, signals: Signals, read: RunEvents["read"]) {
  return async function* follow(options: {
    threadId: string;
    signal: AbortSignal;
    /** The run whose events the reader had last, and which; runs before it are left out. Default: all that are kept. */
    after?: { runId: string; seq: number } | "now";
  }): AsyncGenerator<ThreadEvent> {
    const { threadId, signal, after } = options;
    const news = signals.subscribe(`thread:${threadId}`);
    signal.addEventListener("abort", news.end, { once: true });
    const done = new Set<string>();
    try {
      if (after)
        for (const run of await runsOf(data, threadId))
          // Ids of runs are in the order of their making.
          if (after === "now" ? !isOpen(run) : run.run_id < after.runId) done.add(run.run_id);
      while (!signal.aborted) {
        const now = await data.now();
        const next = (await runsOf(data, threadId)).find(
          (run) => !done.has(run.run_id) && (run.status !== "pending" || run.due_at <= now),
        );
        if (next === undefined) {
          await news.next(LOOK_MS);
          continue;
        }
        const { run_id: runId } = next;
        const isResumed = typeof after === "object" && after.runId === runId;
        let last = isResumed ? after.seq : -1;
        for await (const event of read({ runId, after: last, signal })) {
          yield { run: next, event };
          last = event.seq;
        }
        if (signal.aborted) return;
        done.add(runId);
        const ended = await runRow(data, runId);
        // One that was rolled back is gone.
        yield { run: ended ?? { ...next, status: "interrupted" }, last };
      }
    } finally {
      news.end();
    }
  };
}

async function runsOf({ db }: ServerStore, threadId: string): Promise<RunRow[]> {
  return await db
    .selectFrom("runs")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where((run) =>
      run.or([
        run("status", "in", ["pending", "running"]),
        run.exists(
          run
            .selectFrom("run_events")
            .select("run_events.run_id")
            .whereRef("run_events.run_id", "=", "runs.run_id"),
        ),
      ]),
    )
    .orderBy("created_at")
    .orderBy("run_id")
    .execute();
}
