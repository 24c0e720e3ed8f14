import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sql } from "../../storage/kysely.js";
import { makePlaces } from "./capacity.js";
import { openQueue } from "./queue.js";
import { openRunEvents } from "./runEvents.js";
import { deleteOldThreads } from "./retention.js";
import { OwnerStore } from "./ownerStore.js";
import { type RunRow, isOpen, orderOf, runRow } from "./runRow.js";
import { openGraphs } from "./servedGraphs.js";
import { openSignals } from "./signals.js";
import { openThreadReader } from "./threadEvents.js";
import { type WorkerParts, startWorker } from "./worker.js";
import type { ServerStore } from "../schema.js";

/** How long a run's events are kept after its end, in milliseconds. */
const KEPT_MS = 600_000;

/** How often old events are looked for, in milliseconds. */
const SWEEP_MS = 60_000;

/** Runs whose events are deleted at once. */
const SWEEP_BATCH = 500;

/** The runs of a server: their queue, their streams, and this process's work on them. */
export type Runs = ReturnType<typeof openRuns>;

/** Opens the runs of a server, and starts to work on them. */
export function openRuns(server: WorkerParts["server"]) {
  const { data, settings, workspace } = server;
  const signals = openSignals({ data, url: settings.place.url });
  const worker = `${hostname()}:${process.pid}:${randomUUID()}`;
  const leaseMs = settings.leaseSeconds * 1_000;
  const places = makePlaces(settings.concurrency);
  const queue = openQueue({ data, signals, worker, leaseMs, places });
  const events = openRunEvents({ data, signals });
  const graphs = openGraphs(workspace);
  const storeOf = (owner: string) => new OwnerStore(data, owner);
  const working = startWorker({ server, graphs, storeOf, queue, events, signals, places });
  // If the database is away, the next sweep catches up.
  const sweeping = setInterval(() => void sweep(server).catch(() => undefined), SWEEP_MS);
  sweeping.unref();
  const find = (runId: string) => runRow(data, runId);
  return {
    graphs,
    queue,
    read: events.read,
    follow: openThreadReader(data, signals, events.read),
    find,
    /** Says what a thread without open runs has left to do, after its state was changed by hand. */
    settle: async (threadId: string, status: "idle" | "interrupted"): Promise<void> =>
      void (await data.db
        .updateTable("threads")
        .set({ status, updated_at: Math.floor(await data.now()) })
        .where("thread_id", "=", threadId)
        .where("status", "<>", "busy")
        .execute()),
    /**
     * Waits for a run's end.
     *
     * @returns JSON of the last values, or of `{ __error__ }`; undefined if nothing of it is kept
     */
    result: async ({ runId, signal }: { runId: string; signal: AbortSignal }) => {
      const news = signals.subscribe(`run:${runId}`);
      signal.addEventListener("abort", news.end, { once: true });
      try {
        while (!signal.aborted) {
          const run = await find(runId);
          if (run === undefined) return undefined;
          if (!isOpen(run)) return await keptResult(data, run);
          await news.next();
        }
        return undefined;
      } finally {
        news.end();
      }
    },
    close: async () => {
      clearInterval(sweeping);
      await working.close();
      await signals.close();
    },
  };
}

async function keptResult(data: ServerStore, run: RunRow): Promise<string | undefined> {
  const last = await data.db
    .selectFrom("run_events")
    .select(["event", "data"])
    .where("run_id", "=", run.run_id)
    .where("event", "in", ["values", "error"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last?.event === "error") return `{"__error__":${last.data}}`;
  // The last values that were streamed are not always the final ones.
  return last && !orderOf(run).is_streamed ? last.data : undefined;
}

/** Deletes threads that are kept no longer, the events of runs that ended some time ago, and all of stateless ones. */
async function sweep(server: Pick<WorkerParts["server"], "data" | "workspace" | "access">) {
  const { data } = server;
  await deleteOldThreads(server, server.access.policy.retention);
  const before = (await data.now()) - KEPT_MS;
  const old = await data.db
    .selectFrom("runs")
    .select(["run_id", "thread_id", "is_stateless"])
    .where("status", "not in", ["pending", "running"])
    .where("updated_at", "<", before)
    .where(
      sql<boolean>`(is_stateless = 1 or exists (
        select 1 from ${sql.table("run_events")} event where event.run_id = runs.run_id))`,
    )
    .limit(SWEEP_BATCH)
    .execute();
  if (old.length === 0) return;
  const ids = old.map(({ run_id }) => run_id);
  const stateless = old.filter(({ is_stateless }) => is_stateless === 1);
  await data.db.deleteFrom("run_events").where("run_id", "in", ids).execute();
  if (stateless.length === 0) return;
  // The rows go last: they are what says that there is something left of their threads.
  await server.workspace.runtime.journal.forget(stateless.map(({ thread_id }) => thread_id));
  const done = stateless.map(({ run_id }) => run_id);
  await data.db.deleteFrom("runs").where("run_id", "in", done).execute();
}
