import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../../storage/kysely.js";
import { TulipgraphError } from "../../../common/errors.js";
import type { Usage } from "../../../state/state.js";
import { type RunRequest, type SentRequest, endOf } from "../runner.js";
import { type HeldJob, type RunQueue, isDatabaseAway, jobsOf, patiently } from "./openQueue.js";
import type { QueueSetup } from "./setup.js";
import { type Workplace, openWorkplace, requireVersion } from "./workplace.js";

/** How a worker works. */
export interface WorkOptions {
  queue: RunQueue;
  /** Runs at the same time. */
  concurrency: number;
  /** End when nothing is left for this worker. */
  untilEmpty: boolean;
  /** Take no more runs. */
  finish: AbortSignal;
  /** Drop the runs under way and give them back. */
  signal: AbortSignal;
  /** Prints a line about evaluations that this worker begins or leaves to others. */
  say: (line: string) => void;
}

/** A distributed evaluation, as a worker sees it. */
interface Session {
  id: string;
  version: string;
  setup: string;
  /** No run may begin while its `eval run` is silent. */
  capped: boolean;
  /** Seconds since its `eval run` was heard from. */
  silent: number;
}

/** A run that is being made. */
interface Running {
  session: string;
  job: HeldJob;
  /** Usage that has not been reported yet. */
  usage?: Usage;
  drop: AbortController;
  ended: Promise<void>;
}

/** A worker at work. */
interface Worker extends WorkOptions {
  /** By session; undefined for sessions left to other workers. */
  workplaces: Map<string, Workplace | undefined>;
  running: Map<string, Running>;
}

/** Between two looks for work, in milliseconds. */
const LOOK_MS = 300;

/** How long to wait for a dropped run, in milliseconds: a model may not notice the signal. */
const GRACE_MS = 2000;

/** Longest silence of a worker, in milliseconds. */
const LONGEST_BEAT_MS = 2000;

/**
 * Takes runs from a queue and makes them until told to stop. A run is dropped if its lease is lost or its
 * evaluation is over.
 *
 * @returns how many runs were made
 */
export async function workAt(options: WorkOptions): Promise<{ made: number }> {
  const worker: Worker = { ...options, workplaces: new Map(), running: new Map() };
  const beating = new AbortController();
  const failed = new AbortController();
  const beats = beatUntil(worker, beating.signal).catch((error: unknown) => failed.abort(error));
  const { signal, running } = worker;
  const finish = AbortSignal.any([worker.finish, signal, failed.signal]);
  const drop = () => {
    for (const run of running.values()) run.drop.abort(signal.reason);
  };
  signal.addEventListener("abort", drop, { once: true });
  let made = 0;
  try {
    while (!finish.aborted) {
      const work = () => takeRuns(worker, () => (made += 1));
      const { taken, left } = await patiently({ signal: finish, work, pause: () => rest(worker) });
      if (worker.untilEmpty && running.size === 0 && !left) break;
      if (taken === 0) await rest(worker);
    }
    await Promise.all([...running.values()].map(({ ended }) => ended));
    failed.signal.throwIfAborted();
    return { made };
  } finally {
    beating.abort();
    await beats;
    await leave(worker);
  }
}

/** Waits until a run ends, or until it is time to look for work again. */
async function rest({ running, finish }: Worker): Promise<void> {
  const waiting = new AbortController();
  const until = AbortSignal.any([waiting.signal, finish]);
  const time = sleep(LOOK_MS, undefined, { signal: until }).catch(() => undefined);
  await Promise.race([time, ...[...running.values()].map(({ ended }) => ended)]);
  waiting.abort();
}

/** Fills the free places with runs of the open evaluations. */
async function takeRuns(
  worker: Worker,
  onMade: () => void,
): Promise<{ taken: number; left: boolean }> {
  const { queue, concurrency, running, workplaces } = worker;
  const sessions = await openSessions(worker);
  let taken = 0;
  let left = false;
  for (const { id, capped, silent } of sessions) {
    const workplace = workplaces.get(id);
    if (workplace === undefined) continue;
    const isHeard = silent < workplace.leaseSeconds;
    left ||= isHeard || (await hasJobs(queue, id));
    const free = concurrency - running.size;
    if (free === 0 || (capped && !isHeard)) continue;
    const jobs = await queue.boss.fetch<{ request: string }>(jobsOf(id), {
      batchSize: free,
      includeMetadata: true,
    });
    for (const job of jobs) {
      const held = { id: job.id, takenBefore: job.retryCount };
      const request = JSON.parse(job.data.request) as SentRequest;
      begin({ worker, workplace, session: id, job: held, request, onMade });
    }
    taken += jobs.length;
  }
  return { taken, left };
}

/** The evaluations in the queue; prepares new ones and closes those that are over. */
async function openSessions(worker: Worker): Promise<Session[]> {
  const { queue, workplaces, running } = worker;
  const silent = sql<number>`extract(epoch FROM clock_timestamp() - seen_at)::float8`.as("silent");
  const sessions = await queue.store.db
    .selectFrom("sessions")
    .select(["id", "version", "setup", "capped", silent])
    .orderBy("id")
    .execute();
  const open = new Set(sessions.map(({ id }) => id));
  for (const [id, workplace] of workplaces) {
    if (open.has(id)) continue;
    workplaces.delete(id);
    const mine = [...running.values()].filter(({ session }) => session === id);
    for (const run of mine) run.drop.abort();
    await Promise.all(mine.map(({ ended }) => ended));
    await workplace?.close();
  }
  for (const session of sessions) {
    if (!workplaces.has(session.id)) workplaces.set(session.id, await prepare(worker, session));
  }
  return sessions;
}

/** @returns undefined for an evaluation that this machine cannot serve, after saying why */
async function prepare(worker: Worker, session: Session): Promise<Workplace | undefined> {
  const { queue, say } = worker;
  const { id, version, setup: text } = session;
  const name = nameOf(session);
  try {
    requireVersion(version);
    const setup = JSON.parse(text) as QueueSetup;
    const workplace = await openWorkplace({ queue, session: id, setup });
    say(`${name}: taking runs`);
    return workplace;
  } catch (error) {
    if (!(error instanceof TulipgraphError) || isDatabaseAway(error)) throw error;
    say(`${name}: left to other workers: ${error.message}`);
    return undefined;
  }
}

function nameOf({ id, setup }: Session): string {
  const { benchmark = "?" } = Object(JSON.parse(setup)) as Partial<QueueSetup>;
  return `evaluation of ${benchmark} (${id.slice(0, 8)})`;
}

async function hasJobs({ boss }: RunQueue, session: string): Promise<boolean> {
  return (await boss.getQueueSize(jobsOf(session), { before: "completed" })) > 0;
}

function begin(options: {
  worker: Worker;
  workplace: Workplace;
  session: string;
  job: HeldJob;
  request: SentRequest;
  onMade: () => void;
}): void {
  const { worker, workplace, session, job, request, onMade } = options;
  const drop = new AbortController();
  if (worker.signal.aborted) drop.abort();
  const run: Running = { session, job, drop, ended: Promise.resolve() };
  const wanted: RunRequest = {
    ...request,
    // Nobody knows how far the previous worker came: its data are elsewhere, and it may still be alive.
    threadKey:
      job.takenBefore === 0
        ? request.threadKey
        : `${request.threadKey} | taken ${job.takenBefore + 1}`,
    signal: drop.signal,
    onUsage: (usage) => (run.usage = usage),
  };
  run.ended = make({ worker, workplace, run, request: wanted })
    .then((isTold) => {
      if (isTold) onMade();
    })
    .catch((error: unknown) => {
      if (!drop.signal.aborted) worker.say(`a run is given back: ${String(error)}`);
    })
    .finally(() => worker.running.delete(job.id));
  worker.running.set(job.id, run);
}

/** @returns whether the run ended here and was reported */
async function make(options: {
  worker: Worker;
  workplace: Workplace;
  run: Running;
  request: RunRequest;
}): Promise<boolean> {
  const { worker, workplace, run, request } = options;
  const { queue } = worker;
  const { session, job, drop } = run;
  const startedAt = new Date().toISOString();
  const made = endOf(async () => {
    const state = await workplace.run(request);
    return { ...state, period: { startedAt, endedAt: new Date().toISOString() } };
  });
  const dropped = once(drop.signal, "abort").then(() => sleep(GRACE_MS, undefined, { ref: false }));
  const end = await Promise.race([made, drop.signal.aborted ? undefined : dropped]);
  if (end === undefined || drop.signal.aborted) {
    await giveBack(worker, run);
    return false;
  }
  const result = JSON.stringify(end);
  await patiently({
    signal: drop.signal,
    work: () => queue.leases.finish({ queue: jobsOf(session), session, job, result }),
    pause: async () => await sleep(LOOK_MS),
  });
  return true;
}

async function giveBack({ queue, signal }: Worker, { session, job }: Running): Promise<void> {
  if (signal.aborted) await queue.leases.giveBack(jobsOf(session), [job]);
}

/** Renews the leases, reports usage, and drops runs whose lease is lost. */
async function beatUntil(worker: Worker, over: AbortSignal): Promise<void> {
  const { workplaces } = worker;
  while (!over.aborted) {
    const leases = [...workplaces.values()].flatMap((each) => (each ? [each.leaseSeconds] : []));
    const beatMs = Math.min(LONGEST_BEAT_MS, ...leases.map((seconds) => (seconds * 1000) / 4));
    const pause = async () => {
      await sleep(beatMs, undefined, { signal: over }).catch(() => undefined);
    };
    await pause();
    if (!over.aborted) await patiently({ signal: over, work: () => beat(worker), pause });
  }
}

async function beat({ queue, workplaces, running }: Worker): Promise<void> {
  for (const session of workplaces.keys()) {
    const runs = [...running.values()].filter((run) => run.session === session);
    if (runs.length === 0) continue;
    const jobs = runs.map(({ job }) => job);
    const held = await queue.leases.renew(jobsOf(session), jobs);
    for (const run of runs) {
      if (!held.has(run.job.id) && running.has(run.job.id)) run.drop.abort();
      else await tellUsage(queue, run);
    }
  }
  await queue.boss.expire();
}

async function tellUsage({ store }: RunQueue, run: Running): Promise<void> {
  const { session, job, usage } = run;
  if (usage === undefined) return;
  const text = JSON.stringify(usage);
  await store.db
    .insertInto("reports")
    .values({ session, job: job.id, usage: text, result: null, taken: false })
    .onConflict((known) => known.columns(["session", "job"]).doUpdateSet({ usage: text }))
    .execute();
  if (run.usage === usage) run.usage = undefined;
}

async function leave({ workplaces, running }: Worker): Promise<void> {
  await Promise.all([...running.values()].map(({ ended }) => ended));
  for (const workplace of workplaces.values()) await workplace?.close();
}
