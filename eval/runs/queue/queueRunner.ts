import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v5 as uuid5 } from "@langchain/core/utils/uuid";
import { sql } from "../../../storage/kysely.js";
import type PgBoss from "pg-boss";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { Usage } from "../../../state/state.js";
import {
  type Runner,
  type RunRequest,
  type RunState,
  type SentEnd,
  type SentRequest,
  receivedEnd,
} from "../runner.js";
import { type RunQueue, jobsOf, patiently } from "./openQueue.js";
import { type QueueSetup, carryFiles } from "./setup.js";

/** A runner whose runs are made by workers. */
export interface QueueRunner extends Runner {
  /** Ends the distribution: workers drop their runs, and no more may follow. */
  close: () => Promise<void>;
}

/** What an experiment gives to its workers. */
interface Distribution {
  queue: RunQueue;
  /** Id of the experiment: a distribution whose process ended is continued. */
  experiment: string;
  setup: QueueSetup;
  /** The home with the libraries of the experiment. */
  home: string;
  /** There is a spending limit: no run may begin while this process does not count dollars. */
  capped: boolean;
}

/** Pause between two looks for results, in milliseconds. */
const LOOK_MS = 200;

/** After this many workers have died on a run, no other worker should try it. */
const MOST_TAKEN = 5;

/** Jobs inserted into the database at once. */
const MOST_SENT = 100;

/** Namespace for the ids of jobs: an arbitrary UUID. */
const JOB_IDS = "0c1a4f0e-8a55-4f4a-9f0e-3f1f0f7b6a21";

/**
 * Makes runs through a queue: each is a job that some worker takes (`eval work`). Results stay in the database until
 * the experiment has ended, so that they outlive the process that waits for them.
 */
export async function queueRunner(distribution: Distribution): Promise<QueueRunner> {
  const { queue } = distribution;
  const session = await openSession(distribution);
  const orders = new Orders();
  const early = new Map<string, string>();
  const unsent: PgBoss.JobInsert[] = [];
  const closed = new AbortController();
  let numbers = 0;
  let failure: unknown;
  const exchange = async () => {
    await send(queue, unsent);
    await receive({ queue, session, orders, early });
  };
  const failAll = (error: unknown) => {
    failure = error;
    orders.failAll(error);
  };
  const work = exchangeUntil(closed.signal, exchange).catch(failAll);
  return {
    run: async (request) => {
      if (failure !== undefined) throw failure as Error;
      request.signal.throwIfAborted();
      const id = uuid5(JSON.stringify([session, request.threadKey]), JOB_IDS);
      const there = early.get(id);
      if (there !== undefined) return receivedEnd(JSON.parse(there) as SentEnd);
      unsent.push(jobOf({ session, id, request, priority: -(numbers += 1) }));
      return await orders.wait(id, request);
    },
    close: async () => {
      closed.abort();
      await work;
      await closeSession(queue, session);
    },
  };
}

/** The session of the experiment: one left behind by an earlier process, else a new one. */
async function openSession(distribution: Distribution): Promise<string> {
  const { queue, experiment, setup, home, capped } = distribution;
  const { db } = queue.store;
  const version = packageVersion();
  const row = { experiment, version, capped, setup: JSON.stringify(setup) };
  const left = await db
    .selectFrom("sessions")
    .select(["id", "version"])
    .where("experiment", "=", experiment)
    .executeTakeFirst();
  if (left?.version === version) {
    // The earlier process may not have written down the results that it took.
    await db.updateTable("reports").set({ taken: false }).where("session", "=", left.id).execute();
    await db.updateTable("sessions").set(row).where("id", "=", left.id).execute();
    return left.id;
  }
  if (left) await closeSession(queue, left.id);
  const session = randomUUID();
  if (setup.own === undefined) await carryFiles(queue, session, home);
  await queue.boss.createQueue(jobsOf(session), {
    name: jobsOf(session),
    retryLimit: MOST_TAKEN - 1,
    expireInSeconds: setup.leaseSeconds,
  });
  // Last, so that workers find a complete session.
  await db
    .insertInto("sessions")
    .values({ id: session, ...row, seen_at: sql`now()` })
    .execute();
  return session;
}

async function closeSession(queue: RunQueue, session: string) {
  const { db } = queue.store;
  await db.deleteFrom("sessions").where("id", "=", session).execute();
  await queue.leases.clear(jobsOf(session));
  await queue.boss.deleteQueue(jobsOf(session));
  await db.deleteFrom("reports").where("session", "=", session).execute();
  await db.deleteFrom("files").where("session", "=", session).execute();
}

function jobOf(options: {
  session: string;
  id: string;
  request: RunRequest;
  priority: number;
}): PgBoss.JobInsert {
  const { session, id, request, priority } = options;
  const { signal: _signal, onUsage: _onUsage, ...sent } = request;
  // As a text, because `jsonb` would sort the keys.
  const data = { request: JSON.stringify(sent satisfies SentRequest) };
  return { id, name: jobsOf(session), data, priority };
}

async function exchangeUntil(signal: AbortSignal, exchange: () => Promise<void>): Promise<void> {
  const pause = async () => {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  };
  while (!signal.aborted) {
    await patiently({ signal, work: exchange, pause });
    await pause();
  }
}

/** Puts new jobs into the queue; a job that an earlier process put there stays unchanged. */
async function send(queue: RunQueue, unsent: PgBoss.JobInsert[]) {
  while (unsent.length > 0) {
    const jobs = unsent.slice(0, MOST_SENT);
    await queue.boss.insert(jobs);
    unsent.splice(0, jobs.length);
  }
}

/** Takes the reports of workers, frees the jobs of dead ones, and shows that this process is alive. */
async function receive(options: {
  queue: RunQueue;
  session: string;
  orders: Orders;
  /** Results of an earlier process's jobs that nobody has asked for yet. */
  early: Map<string, string>;
}): Promise<void> {
  const { queue, session, orders, early } = options;
  const { db } = queue.store;
  await db
    .updateTable("sessions")
    .set({ seen_at: sql`now()` })
    .where("id", "=", session)
    .execute();
  await queue.boss.expire();
  const reports = await db
    .selectFrom("reports")
    .select(["job", "usage", "result"])
    .where("session", "=", session)
    .where("taken", "=", false)
    .execute();
  for (const { job, usage, result } of reports) {
    const request = orders.requestOf(job);
    if (result === null) {
      if (usage !== null) request?.onUsage?.(JSON.parse(usage) as Usage);
    } else if (request === undefined) early.set(job, result);
    else orders.end(job, () => receivedEnd(JSON.parse(result) as SentEnd));
  }
  const taken = reports.flatMap(({ job, result }) => (result === null ? [] : [job]));
  if (taken.length > 0) {
    const rows = db.updateTable("reports").set({ taken: true }).where("session", "=", session);
    await rows.where("job", "in", taken).execute();
  }
  for (const job of await queue.leases.givenUp(jobsOf(session))) {
    orders.end(job, () => givenUp(orders.requestOf(job)));
  }
}

/** The other runs continue; the next start tries this one again. */
function givenUp(request?: RunRequest): RunState {
  const failure = new Error(`${MOST_TAKEN} workers ended while they made this run`);
  return {
    values: {},
    stages: [],
    resumed: false,
    threadId: request?.threadKey ?? "",
    failure,
  };
}

interface Order {
  request: RunRequest;
  settle: (state: RunState) => void;
  fail: (error: unknown) => void;
}

/** Runs that workers are making, by the ids of their jobs. */
class Orders {
  readonly #orders = new Map<string, Order>();

  requestOf(key: string): RunRequest | undefined {
    return this.#orders.get(key)?.request;
  }

  /** Waits for the end of a run, or for its signal. */
  wait(key: string, request: RunRequest): Promise<RunState> {
    const { signal } = request;
    return new Promise((settle, fail) => {
      const abort = () => {
        this.#orders.delete(key);
        fail(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#orders.set(key, { request, settle, fail });
    });
  }

  /** Ends the wait with what `end` returns or throws; does nothing if nobody waits. */
  end(key: string, end: () => RunState): void {
    const order = this.#orders.get(key);
    this.#orders.delete(key);
    try {
      order?.settle(end());
    } catch (error) {
      order?.fail(error);
    }
  }

  failAll(error: unknown): void {
    for (const { fail } of this.#orders.values()) fail(error);
    this.#orders.clear();
  }
}
