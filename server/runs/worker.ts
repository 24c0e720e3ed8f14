import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import type { BaseStore } from "@langchain/langgraph";
import { isAway, isUnavailable } from "../../storage/postgres/unavailable.js";
import { projectGraph } from "../../graphs/projects.js";
import { parseSettings } from "../../state/settings.js";
import type { ServerTransaction, ServerStore } from "../schema.js";
import { type Ending, MOST_STARTS, type RunStop, execute, makeRunStop } from "./execute.js";
import { MOST_TAKEN, type Places } from "./capacity.js";
import type { RunQueue } from "./queue.js";
import { type EventLog, type RunEvents, addedEvents } from "./runEvents.js";
import { orderOf } from "./runRow.js";
import { type Use, useOf } from "./runUse.js";
import { rollBack } from "./rollBack.js";
import { tellWebhook } from "./webhooks.js";
import { type ServedGraphs, lastRunOf } from "./servedGraphs.js";
import type { Signals } from "./signals.js";
import { type TakenRun, type ThreadEnd, pauseAfter } from "./queueRows.js";
import type { Access } from "../access/access.js";
import type { ServerSettings } from "../server.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import type { Workspace } from "../../home/workspace.js";

/** How often a process looks for runs without a signal, in milliseconds. */
const POLL_MS = 1_000;

/** How soon something is retried that failed at the database, in milliseconds. */
const RETRY_MS = 1_000;

/** How long runs may go on while a server closes, in milliseconds; then each is left at its next checkpoint. */
const GRACE_MS = 5_000;

/** How long a run then has to reach its next checkpoint, in milliseconds. */
const LAST_GRACE_MS = 20_000;

export interface WorkerParts {
  server: {
    data: ServerStore;
    access: Access;
    telemetry: Telemetry;
    settings: ServerSettings;
    workspace: Workspace;
    /** The app of a LangGraph.js project, which may be told of the end of runs. */
    own?: Hono;
  };
  graphs: ServedGraphs;
  storeOf: (owner: string) => BaseStore;
  queue: RunQueue;
  events: RunEvents;
  signals: Signals;
  places: Places;
}

/** Starts to take runs from the queue, as many at once as the settings allow. */
export function startWorker(parts: WorkerParts): { close: () => Promise<void> } {
  const { server, graphs, queue, signals, places } = parts;
  const leaseMs = server.settings.leaseSeconds * 1_000;
  const active = new Map<string, { stop: RunStop; done: Promise<void> }>();
  const ended = () => Promise.all([...active.values()].map(({ done }) => done));
  let isClosing = false;
  let renewedAt = -Infinity;
  const renew = async () => {
    const asked = [...active];
    if (asked.length === 0) return;
    const now = performance.now();
    const kept = await queue.beat(asked.map(([runId]) => runId));
    renewedAt = now;
    for (const [runId, { stop }] of asked) {
      const action = kept.get(runId);
      if (action) stop.stop(action);
      if (action === undefined && active.get(runId)?.stop === stop) stop.stop("lost");
    }
  };
  places.begin = (run: TakenRun, since: number) => {
    const stop = makeRunStop();
    // It is given back.
    if (isClosing) stop.stop("closing");
    if (active.size === 0) renewedAt = since;
    // After a halt that outlasted the lease, this process may itself be the one to take the run over.
    active.get(run.run_id)?.stop.stop("lost");
    const isOwn = async () => {
      if (performance.now() - renewedAt > leaseMs) await renew();
      return stop.reason() !== "lost";
    };
    const done = graphs
      .turn()
      .then(() => work({ ...parts, run, stop, isOwn }))
      // Its lease will run out, and another process will try.
      .catch((error: unknown) => logFailure(server, "run_left", run, error))
      .finally(() => {
        if (active.get(run.run_id)?.stop === stop) active.delete(run.run_id);
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
    const now = performance.now();
    try {
      if (most > 0) taken = await queue.take(most);
    } finally {
      places.free += most - taken.length;
    }
    places.areWanted = taken.length === most;
    for (const run of taken) places.begin(run, now);
    // After the steps that wait already: a process that has less to do comes to its next runs sooner.
    if (places.areWanted && places.free > 0) return await graphs.turn();
    if (!isClosing) await news.next(POLL_MS);
  });
  const cancelled = signals.subscribe("cancel");
  const beating = repeat(async () => {
    await cancelled.next(leaseMs / 3);
    await renew();
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

interface OwnRun extends WorkerParts {
  run: TakenRun;
  stop: RunStop;
  /** Whether the run is still this process's own; asks the database if its lease may have run out meanwhile. */
  isOwn: () => Promise<boolean>;
}

async function work(parts: OwnRun): Promise<void> {
  const { server, graphs, events, queue, run, stop, isOwn } = parts;
  const failedStarts = await countFailedStarts(graphs, run);
  // It may be what kills its processes.
  if (run.isTakenOver && failedStarts > 1) {
    const { run_id: runId, attempts: attempt } = run;
    const pauseMs = pauseAfter(failedStarts - 1);
    return await queue.giveBack({ runId, attempt, isCounted: false, pauseMs });
  }
  const log = await events.begin({ run, isKept: orderOf(run).is_streamed, isOwn });
  const patienceMs = server.settings.leaseSeconds * 1_000;
  const goesOn = run.hasBegun && orderOf(run).tokens !== undefined;
  const tokensUsed = goesOn ? (await useOf(graphs.saver(), run)).tokens : 0;
  const ending =
    failedStarts >= MOST_STARTS
      ? await giveUp(log)
      : await execute({ ...parts, log, patienceMs, tokensUsed, failedStarts });
  if (ending.status === "rollback")
    await log.publish("error", { error: "UserRollback", message: "The run was rolled back" });
  let use = "use" in ending ? ending.use : undefined;
  // Retried while the database is away or full, until another process has the run. Of any other failure, it is left.
  for (let failures = 1; ; failures += 1) {
    try {
      // Read once, before checkpoints are deleted.
      use ??= await useOf(graphs.saver(), run);
      await endRun({ ...parts, ending, use, log, failedStarts });
      return;
    } catch (error) {
      if (!isAway(error) && failures === 1) logFailure(server, "run_not_ended", run, error);
      if (stop.reason() === "lost") return;
      if (!isUnavailable(error) && failures === MOST_STARTS) throw error;
    }
    await sleep(RETRY_MS);
  }
}

function logFailure(
  server: { telemetry: Telemetry },
  event: string,
  run: TakenRun,
  error: unknown,
): void {
  server.telemetry.log({ level: "error", event, runId: run.run_id, error: String(error) });
}

/** Starts of a run from the one that saved its last checkpoint on, this one not counted. */
async function countFailedStarts(graphs: ServedGraphs, run: TakenRun): Promise<number> {
  const { run_id: runId, thread_id: threadId, attempts, isTakenOver } = run;
  // Where the answer could make a difference.
  if (attempts < (isTakenOver ? 3 : MOST_STARTS)) return attempts - 1;
  const last = await lastRunOf(graphs.saver(), threadId);
  return attempts - Math.max(1, last.runId === runId ? last.attempt : 0);
}

async function giveUp(log: EventLog): Promise<Ending> {
  const error =
    `this run was started ${MOST_STARTS} times without progress, because the processes that worked on it died or could ` +
    "store nothing; it is not tried again. Read the servers' logs, then continue the thread with another run";
  await log.publish("error", { error: "RunGivenUp", message: error });
  return { status: "error", error };
}

async function endRun(
  parts: OwnRun & { ending: Ending; use: Use; log: EventLog; failedStarts: number },
): Promise<void> {
  const { server, graphs, queue, run, isOwn, ending, use, log } = parts;
  const { run_id: runId, thread_id: threadId, attempts: attempt, caller } = run;
  const { status } = ending;
  if (status === "gone") return;
  if (status === "given up") {
    await log.end();
    const { isClosing } = ending;
    const pauseMs = isClosing ? 0 : pauseAfter(parts.failedStarts + 1);
    return await queue.giveBack({ runId, attempt, isCounted: !isClosing, pauseMs });
  }
  const events = await log.rest();
  const isStateless = run.is_stateless === 1;
  let rolledBack: ThreadEnd | undefined;
  if (status === "rollback" && !isStateless) {
    if (!(await isOwn())) return;
    rolledBack = await rollBack(server, graphs, run);
  }
  const error = status === "error" ? ending.error : undefined;
  const thread = isStateless ? undefined : (rolledBack ?? threadEnd(ending));
  const { graph_id: graph, context } = orderOf(run);
  const library = projectGraph(graph) ? "" : parseSettings(context).library;
  const { outcome, usage } = use;
  const used = { caller, graph, library, at: run.created_at, ...use };
  const also = (db: ServerTransaction) => [
    ...addedEvents(db, runId, events),
    server.access.charge(db, used),
  ];
  const end = { runId, attempt, threadId, status, error, outcome, usage, thread, also };
  const hasEnded = await queue.end(end);
  if (hasEnded) await tellWebhook({ server, graphs, run, status, error }).catch(() => undefined);
  // Not before: a run without checkpoints that another process took over would begin again.
  if (hasEnded && isStateless) await graphs.saver().deleteThread(threadId);
}

function threadEnd(
  ending: Exclude<Ending, { status: "given up" } | { status: "gone" }>,
): ThreadEnd {
  if (ending.status === "error" && ending.thread === undefined)
    return { status: "error", error: ending.error };
  return { status: ("thread" in ending && ending.thread) || "idle" };
}
