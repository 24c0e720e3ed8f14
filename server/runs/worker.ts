import { setTimeout as sleep } from "node:timers/promises";
import { isAway } from "../../storage/away.js";
import type { Server } from "../server.js";
import { type Ending, type RunStop, execute, makeRunStop } from "./execute.js";
import type { RunQueue, TakenRun, ThreadEnd } from "./queue.js";
import type { RunEvents } from "./runEvents.js";
import { type Use, useOf } from "./runUse.js";
import { orderOf } from "./runRow.js";
import { type ServedGraphs, copyCheckpoints } from "./servedGraphs.js";
import type { Signals } from "./signals.js";

/** How often a process looks for runs by itself, in milliseconds. */
const POLL_MS = 1_000;

/** How soon something is tried again that the database did not take, in milliseconds. */
const RETRY_MS = 1_000;

/** How long runs may go on while a server closes, in milliseconds; then each is left at its next checkpoint. */
const GRACE_MS = 5_000;

/** How long a run has to come to its next checkpoint while a server closes, in milliseconds. */
const LAST_GRACE_MS = 20_000;

/** Works on the runs of the queue. */
export interface Worker {
  /** Runs that this process works on now. */
  active: () => number;
  /** Takes no more, lets runs end for a while and leaves the others to other processes. */
  close: () => Promise<void>;
}

interface WorkerParts {
  server: Pick<Server, "data" | "access" | "telemetry" | "settings">;
  graphs: ServedGraphs;
  queue: RunQueue;
  events: RunEvents;
  signals: Signals;
  /** Attempts that may die before a run is given up as an error. */
  attempts: number;
}

/** Starts to take runs from the queue, so many at once as the settings say. */
export function startWorker(parts: WorkerParts): Worker {
  const { server, queue, signals } = parts;
  const { concurrency, leaseSeconds } = server.settings;
  const active = new Map<string, { stop: RunStop; done: Promise<void> }>();
  const begin = (run: TakenRun) => {
    const stop = makeRunStop();
    const done = work({ ...parts, run, stop })
      // Its lease runs out, and another process tries.
      .catch((error: unknown) => {
        const { run_id: runId } = run;
        const event = "run_left";
        server.telemetry.log({ level: "error", event, runId, error: String(error) });
      })
      .finally(() => {
        active.delete(run.run_id);
        signals.sendHere("queue");
      });
    active.set(run.run_id, { stop, done });
  };
  const news = signals.subscribe("queue");
  const taking = repeat(async (isClosing) => {
    const free = concurrency - active.size;
    const taken = free > 0 ? await queue.take(free) : [];
    // What was taken while the process closed is given back by the same way as the others.
    for (const run of taken) begin(run);
    if (!isClosing()) await news.next(POLL_MS);
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
    active: () => active.size,
    close: async () => {
      taking.end();
      news.end();
      await taking.ended;
      const ended = Promise.all([...active.values()].map(({ done }) => done));
      for (const patience of [GRACE_MS, LAST_GRACE_MS]) {
        await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
        for (const { stop } of active.values()) stop.stop("closing");
      }
      await ended;
      beating.end();
      cancelled.end();
      await beating.ended;
    },
  };
}

/** Does something again and again; what fails, most often because the database is away, is done again after a while. */
function repeat(step: (isClosing: () => boolean) => Promise<void>) {
  const over = new AbortController();
  const run = async () => {
    while (!over.signal.aborted) {
      try {
        await step(() => over.signal.aborted);
      } catch {
        await sleep(RETRY_MS);
      }
    }
  };
  return {
    ended: run(),
    end: () => over.abort(),
  };
}

async function work(parts: WorkerParts & { run: TakenRun; stop: RunStop }): Promise<void> {
  const { server, graphs, events, run, stop, attempts } = parts;
  const { run_id: runId, attempts: attempt } = run;
  const isKept = orderOf(run).is_streamed;
  const log = events.begin({ runId, attempt, isKept });
  const patienceMs = server.settings.leaseSeconds * 1_000;
  const ending =
    attempt > attempts
      ? await giveUp({ log, attempts })
      : await execute({ server, graphs, run, stop, log, patienceMs });
  if (ending.status === "rollback") {
    await log.publish("error", { error: "UserRollback", message: "The run was rolled back" });
  }
  let use: Use | undefined;
  // What a database that is away did not take is told again, until it is back or the run is another's.
  while (true) {
    try {
      if (ending.status !== "gone") await log.end();
      // Read once, before checkpoints go.
      use ??= await useOf({ saver: graphs.saver(), run });
      await tell({ ...parts, ending, use });
      return;
    } catch (error) {
      if (!isAway(error))
        server.telemetry.log({
          level: "error",
          event: "run_not_ended",
          runId,
          error: String(error),
        });
      if (stop.reason() === "lost") return;
    }
    await sleep(RETRY_MS);
  }
}

async function giveUp({
  log,
  attempts,
}: {
  log: { publish: (event: string, data: unknown) => Promise<void> };
  attempts: number;
}): Promise<Ending> {
  const error = `${attempts} processes have died while they worked on this run; it is not tried again`;
  await log.publish("error", { error: "RunGivenUp", message: error });
  return { status: "error", error };
}

async function tell(
  parts: WorkerParts & { run: TakenRun; ending: Ending; use: Use },
): Promise<void> {
  const { server, graphs, queue, run, ending, use } = parts;
  const { run_id: runId, thread_id: threadId } = run;
  if (ending.status === "gone") return;
  if (ending.status === "given up") {
    await queue.giveBack(runId);
    return;
  }
  const { status } = ending;
  const isStateless = run.is_stateless === 1;
  if (isStateless) await graphs.saver().deleteThread(threadId);
  else if (status === "rollback") await takeBack({ graphs, run });
  const error = status === "error" ? ending.error : undefined;
  const thread = isStateless ? undefined : threadEnd(ending);
  if (await queue.end({ runId, threadId, status, error, thread })) {
    await charge({ server, run, use });
  }
}

/** Takes back what a run has saved. */
async function takeBack({ graphs, run }: { graphs: ServedGraphs; run: TakenRun }): Promise<void> {
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

/** A run that has ended is not held up by its bill. */
async function charge(options: {
  server: Pick<Server, "access" | "telemetry">;
  run: TakenRun;
  use: Use;
}): Promise<void> {
  const { server, run, use } = options;
  try {
    await server.access.charge({ runId: run.run_id, caller: run.caller, ...use });
  } catch (error) {
    server.telemetry.log({
      level: "error",
      event: "run_not_charged",
      runId: run.run_id,
      error: String(error),
    });
  }
}
