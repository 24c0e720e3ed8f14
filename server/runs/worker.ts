import { setTimeout as sleep } from "node:timers/promises";
import { isAway } from "../../storage/away.js";
import type { ServerTransaction } from "../schema.js";
import type { Server } from "../server.js";
import { type Ending, type RunStop, execute, makeRunStop } from "./execute.js";
import type { Places } from "./places.js";
import type { RunQueue } from "./queue.js";
import { type EventLog, type RunEvents, insertEvents } from "./runEvents.js";
import { orderOf } from "./runRow.js";
import { type Use, useOf } from "./runUse.js";
import { type ServedGraphs, copyCheckpoints } from "./servedGraphs.js";
import type { Signals } from "./signals.js";
import type { TakenRun, ThreadEnd } from "./queueRows.js";

/** Attempts that may die with their process before a run ends with an error. */
const MOST_ATTEMPTS = 5;

/** How often a process looks for runs without a signal, in milliseconds. */
const POLL_MS = 1_000;

/** Runs that a process takes at once, so that others get some. */
const MOST_TAKEN = 4;

/** How soon something is retried that failed at the database, in milliseconds. */
const RETRY_MS = 1_000;

/** How long runs may go on while a server closes, in milliseconds; then each is left at its next checkpoint. */
const GRACE_MS = 5_000;

/** How long a run then has to reach its next checkpoint, in milliseconds. */
const LAST_GRACE_MS = 20_000;

interface WorkerParts {
  server: Pick<Server, "data" | "access" | "telemetry" | "settings">;
  graphs: ServedGraphs;
  queue: RunQueue;
  events: RunEvents;
  signals: Signals;
  places: Places;
}

/** Starts to take runs from the queue, as many at once as the settings allow. */
export function startWorker(parts: WorkerParts): { close: () => Promise<void> } {
  const { server, graphs, queue, signals, places } = parts;
  const { leaseSeconds } = server.settings;
  const active = new Map<string, { stop: RunStop; done: Promise<void> }>();
  const ended = () => Promise.all([...active.values()].map(({ done }) => done));
  let isClosing = false;
  places.begin = (run: TakenRun) => {
    const stop = makeRunStop();
    // It is given back.
    if (isClosing) stop.stop("closing");
    const done = graphs
      .turn()
      .then(() => work({ ...parts, run, stop }))
      // Its lease will run out, and another process will try.
      .catch((error: unknown) => logFailure(server, "run_left", run, error))
      .finally(() => {
        active.delete(run.run_id);
        places.free += 1;
        if (places.areWanted) signals.sendHere("queue");
      });
    active.set(run.run_id, { stop, done });
  };
  const news = signals.subscribe("queue");
  const taking = repeat(async () => {
    // Nobody else may have these places meanwhile.
    const most = Math.max(0, Math.min(places.free, MOST_TAKEN));
    places.free -= most;
    let taken: TakenRun[] = [];
    try {
      if (most > 0) taken = await queue.take(most);
    } finally {
      places.free += most - taken.length;
    }
    places.areWanted = taken.length === most;
    for (const run of taken) places.begin(run);
    // After the steps that wait already: a process that has less to do comes to its next runs sooner.
    if (places.areWanted && places.free > 0) return await graphs.turn();
    if (!isClosing) await news.next(POLL_MS);
  });
  const cancelled = signals.subscribe("cancel");
  const beating = repeat(async () => {
    await cancelled.next((leaseSeconds * 1_000) / 3);
    if (active.size === 0) return;
    const asked = [...active];
    const kept = await queue.beat(asked.map(([runId]) => runId));
    for (const [runId, { stop }] of asked) {
      const action = kept.get(runId);
      if (action) stop.stop(action);
      if (action === undefined && active.has(runId)) stop.stop("lost");
    }
  });
  return {
    /** Takes no more runs, gives the current ones some time to end, and leaves the rest to other processes. */
    close: async () => {
      isClosing = true;
      places.free = -Infinity;
      taking.end();
      news.end();
      await taking.ended;
      for (const patience of [GRACE_MS, LAST_GRACE_MS]) {
        await Promise.race([ended(), sleep(patience, undefined, { ref: false })]);
        for (const { stop } of active.values()) stop.stop("closing");
      }
      await ended();
      beating.end();
      cancelled.end();
      await beating.ended;
    },
  };
}

/** Repeats a step until the end. If it fails, mostly because the database is away, it is retried after a pause. */
function repeat(step: () => Promise<void>) {
  const over = new AbortController();
  const run = async () => {
    while (!over.signal.aborted) {
      try {
        await step();
      } catch {
        await sleep(RETRY_MS);
      }
    }
  };
  return { ended: run(), end: () => over.abort() };
}

async function work(parts: WorkerParts & { run: TakenRun; stop: RunStop }): Promise<void> {
  const { server, graphs, events, run, stop } = parts;
  const { run_id: runId, attempts: attempt } = run;
  const log = events.begin({ runId, attempt, isKept: orderOf(run).is_streamed });
  const patienceMs = server.settings.leaseSeconds * 1_000;
  const ending =
    attempt > MOST_ATTEMPTS
      ? await giveUp(log)
      : await execute({ server, graphs, run, stop, log, patienceMs });
  if (ending.status === "rollback") {
    await log.publish("error", { error: "UserRollback", message: "The run was rolled back" });
  }
  let use = "use" in ending ? ending.use : undefined;
  // Retried while the database is away, until it is back or another process has the run.
  while (true) {
    try {
      // Read once, before checkpoints are deleted.
      use ??= await useOf(graphs.saver(), run);
      await endRun({ ...parts, ending, use, log });
      return;
    } catch (error) {
      if (!isAway(error)) logFailure(server, "run_not_ended", run, error);
      if (stop.reason() === "lost") return;
    }
    await sleep(RETRY_MS);
  }
}

function logFailure(
  server: Pick<Server, "telemetry">,
  event: string,
  run: TakenRun,
  error: unknown,
): void {
  server.telemetry.log({ level: "error", event, runId: run.run_id, error: String(error) });
}

async function giveUp(log: EventLog): Promise<Ending> {
  const error = `${MOST_ATTEMPTS} processes have died while they worked on this run; it is not tried again`;
  await log.publish("error", { error: "RunGivenUp", message: error });
  return { status: "error", error };
}

async function endRun(
  parts: WorkerParts & { run: TakenRun; ending: Ending; use: Use; log: EventLog },
): Promise<void> {
  const { server, graphs, queue, run, ending, use, log } = parts;
  const { run_id: runId, thread_id: threadId, caller } = run;
  const { status } = ending;
  if (status === "gone") return;
  if (status === "given up") {
    await log.end();
    return await queue.giveBack(runId);
  }
  const events = await log.rest();
  const isStateless = run.is_stateless === 1;
  if (status === "rollback" && !isStateless) await undo(graphs, run);
  const error = status === "error" ? ending.error : undefined;
  const thread = isStateless ? undefined : threadEnd(ending);
  const also = async (db: ServerTransaction, at: number) => {
    await insertEvents(db, runId, events);
    await server.access.charge(db, { runId, caller, at, ...use });
  };
  const hasEnded = await queue.end({ runId, threadId, status, error, thread, also });
  // Not before: a run without checkpoints that another process took over would begin again.
  if (hasEnded && isStateless) await graphs.saver().deleteThread(threadId);
}

/** Removes the checkpoints that a run has saved. */
async function undo(graphs: ServedGraphs, run: TakenRun): Promise<void> {
  const { thread_id: thread, run_id: runId } = run;
  await copyCheckpoints({
    saver: graphs.saver(),
    from: thread,
    to: thread,
    isLeftOut: (metadata) => metadata["run_id"] === runId,
  });
}

function threadEnd(
  ending: Exclude<Ending, { status: "given up" } | { status: "gone" }>,
): ThreadEnd {
  if (ending.status === "error") return { status: "error", error: ending.error };
  return { status: "thread" in ending ? ending.thread : "idle" };
}
