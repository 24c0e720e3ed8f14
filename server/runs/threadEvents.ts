import type { ServerStore } from "../schema.js";
import type { RunEvents } from "./runEvents.js";
import { type RunRow, isOpen } from "./runRow.js";
import type { Signals } from "./signals.js";

/** How often a reader looks for the next run without a signal, in milliseconds. */
const POLL_MS = 1_000;

/** An event of one of a thread's runs. */
export interface ThreadEvent {
  /** `<run>:<id within the run>` */
  id: string;
  event: string;
  /** JSON. */
  data: string;
}

/** Where a reader goes on: after an event of a run, or at the first event that is kept. */
export type ThreadPosition = { runId: string; seq: number } | "first";

/**
 * The events of a thread's runs, one run after the other, until the reader leaves: first those of the current run from
 * its beginning, then those of later runs.
 *
 * @param options.after where a reader goes on that lost its connection
 */
export async function* readThread(options: {
  data: ServerStore;
  signals: Signals;
  read: RunEvents["read"];
  threadId: string;
  after?: ThreadPosition;
  signal: AbortSignal;
}): AsyncGenerator<ThreadEvent> {
  const { data, signals, read, threadId, after, signal } = options;
  const news = signals.subscribe("queue");
  signal.addEventListener("abort", news.end, { once: true });
  const place = typeof after === "object" ? after : undefined;
  const seen = new Set<string>();
  const last = place && (await runOf(data, threadId, place.runId));
  // Runs that ended before the one that was read last have been read, too.
  const since = after === "first" ? 0 : (last?.updated_at ?? (await data.now()));
  let next = last;
  try {
    while (!signal.aborted) {
      if (next) {
        const { run_id: runId } = next;
        seen.add(runId);
        const from = place?.runId === runId ? place.seq : -1;
        for await (const { seq, event, data: json } of read({ runId, after: from, signal })) {
          yield { id: `${runId}:${seq}`, event, data: json };
        }
      }
      next = await nextRun({ data, threadId, seen, since });
      if (!next) await news.next(POLL_MS);
    }
  } finally {
    news.end();
  }
}

async function runOf(
  data: ServerStore,
  threadId: string,
  runId: string,
): Promise<RunRow | undefined> {
  return await data.db
    .selectFrom("runs")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("run_id", "=", runId)
    .executeTakeFirst();
}

/** The next run that is not seen yet: one that has ended since then, else one that has begun, else one that is due. */
async function nextRun(options: {
  data: ServerStore;
  threadId: string;
  seen: ReadonlySet<string>;
  since: number;
}): Promise<RunRow | undefined> {
  const { data, threadId, seen, since } = options;
  const now = await data.now();
  const rows = await data.db
    .selectFrom("runs")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where((run) =>
      run.or([run("status", "in", ["pending", "running"]), run("updated_at", ">=", since)]),
    )
    .orderBy("created_at")
    .orderBy("run_id")
    .execute();
  const fresh = rows.filter(({ run_id }) => !seen.has(run_id));
  const ended = fresh.find((run) => !isOpen(run));
  const begun = fresh.find(({ lease_owner }) => lease_owner !== null);
  return ended ?? begun ?? fresh.find(({ due_at }) => due_at <= now);
}
