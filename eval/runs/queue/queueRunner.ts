import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v5 as uuid5 } from "@langchain/core/utils/uuid";
import { sql } from "kysely";
import type PgBoss from "pg-boss";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { Usage } from "../../../state/state.js";
import type { Runner, RunRequest, RunState } from "../runner.js";
import { type SentEnd, receivedEnd, sentRequest } from "../sentRun.js";
import { carryFiles } from "./carriedFiles.js";
import { type RunQueue, jobsOf, patiently } from "./openQueue.js";
import type { QueueSetup } from "./setup.js";

/** A runner whose runs are made wherever a worker takes them. */
export interface QueueRunner extends Runner {
  /** Ends the distribution: workers drop what they are at, and no run may follow. */
  close: () => Promise<void>;
}

/** What an experiment gives to its workers. */
interface Distribution {
  queue: RunQueue;
  /** Id of the experiment: a distribution that was broken off by the end of its process goes on. */
  experiment: string;
  setup: QueueSetup;
  /** The home with the libraries of the experiment. */
  home: string;
  /** Whether somebody has to count dollars while runs begin. */
  capped: boolean;
}

/** A run that is waited for. */
interface Order {
  request: RunRequest;
  settle: (state: RunState) => void;
  fail: (error: unknown) => void;
}

/** Between two looks for results, in milliseconds. */
const LOOK_MS = 200;

/** A run whose workers have died so often is none that another worker should try. */
const MOST_TAKEN = 5;

/** As many jobs as are put into the database at once. */
const MOST_SENT = 100;

/** Makes ids of jobs from sessions and keys of attempts; an arbitrary UUID of the project's own. */
const JOB_IDS = "0c1a4f0e-8a55-4f4a-9f0e-3f1f0f7b6a21";

/**
 * Makes runs through a queue: each is a job that some worker takes (`eval work`). What workers bring is kept in the
 * database until the experiment has ended, so that a result outlives the process that waits for it.
 */
export async function queueRunner(distribution: Distribution): Promise<QueueRunner> {
  const { queue } = distribution;
  const session = await openSession(distribution);
  const orders = new Map<string, Order>();
  const early = new Map<string, string>();
  const unsent: PgBoss.JobInsert[] = [];
  const closed = new AbortController();
  let numbers = 0;
  let failure: unknown;
  const exchange = async () => {
    await send({ queue, unsent });
    await receive({ queue, session, orders, early });
  };
  const failAll = (error: unknown) => {
    failure = error;
    for (const { fail } of orders.values()) fail(error);
    orders.clear();
  };
  const work = exchangeUntil({ signal: closed.signal, exchange }).catch(failAll);
  return {
    run: (request) =>
      new Promise((settle, fail) => {
        const { signal } = request;
        if (failure !== undefined) return fail(failure);
        if (signal.aborted) return fail(signal.reason);
        const id = uuid5(JSON.stringify([session, request.threadKey]), JOB_IDS);
        const there = early.get(id);
        if (there !== undefined) return settle(receivedEnd(JSON.parse(there) as SentEnd));
        const abort = () => {
          orders.delete(id);
          fail(signal.reason);
        };
        signal.addEventListener("abort", abort, { once: true });
        orders.set(id, { request, settle, fail });
        unsent.push(jobOf({ session, id, request, priority: -(numbers += 1) }));
      }),
    close: async () => {
      closed.abort();
      await work;
      await closeSession({ queue, session });
    },
  };
}

/** The session of the experiment: one that was left behind, else a new one. */
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
    // What the earlier process has taken it may not have written down.
    await db.updateTable("reports").set({ taken: false }).where("session", "=", left.id).execute();
    await db.updateTable("sessions").set(row).where("id", "=", left.id).execute();
    return left.id;
  }
  if (left) await closeSession({ queue, session: left.id });
  const session = randomUUID();
  if (setup.own === undefined) await carryFiles({ queue, session, home });
  await queue.boss.createQueue(jobsOf(session), {
    name: jobsOf(session),
    retryLimit: MOST_TAKEN - 1,
    expireInSeconds: setup.leaseSeconds,
  });
  // Last: workers find a session that is whole.
  await db
    .insertInto("sessions")
    .values({ id: session, ...row, seen_at: sql`now()` })
    .execute();
  return session;
}

async function closeSession({ queue, session }: { queue: RunQueue; session: string }) {
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
  // As a text in JSON: `jsonb` would sort keys.
  const data = { request: JSON.stringify(sentRequest(request)) };
  return { id, name: jobsOf(session), data, priority };
}

async function exchangeUntil(options: {
  signal: AbortSignal;
  exchange: () => Promise<void>;
}): Promise<void> {
  const { signal, exchange } = options;
  const pause = async () => {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  };
  while (!signal.aborted) {
    await patiently({ signal, work: exchange, pause });
    await pause();
  }
}

/** Puts new jobs into the queue; one that is there already, from an earlier process, stays as it is. */
async function send({ queue, unsent }: { queue: RunQueue; unsent: PgBoss.JobInsert[] }) {
  while (unsent.length > 0) {
    const jobs = unsent.slice(0, MOST_SENT);
    await queue.boss.insert(jobs);
    unsent.splice(0, jobs.length);
  }
}

/** Takes what workers have brought, gives back what dead ones had, and shows that somebody waits. */
async function receive(options: {
  queue: RunQueue;
  session: string;
  orders: Map<string, Order>;
  /** Results that came before they were asked for: of a process that has been broken off. */
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
    const order = orders.get(job);
    if (result === null) {
      if (usage !== null) order?.request.onUsage?.(JSON.parse(usage) as Usage);
    } else if (order === undefined) early.set(job, result);
    else settle({ orders, job, end: () => receivedEnd(JSON.parse(result) as SentEnd) });
  }
  const taken = reports.flatMap(({ job, result }) => (result === null ? [] : [job]));
  if (taken.length > 0) {
    const rows = db.updateTable("reports").set({ taken: true }).where("session", "=", session);
    await rows.where("job", "in", taken).execute();
  }
  for (const job of await queue.leases.givenUp(jobsOf(session))) {
    settle({ orders, job, end: () => givenUp(orders.get(job)) });
  }
}

function settle(options: { orders: Map<string, Order>; job: string; end: () => RunState }): void {
  const { orders, job, end } = options;
  const order = orders.get(job);
  if (!order) return;
  try {
    order.settle(end());
  } catch (error) {
    order.fail(error);
  }
  orders.delete(job);
}

/** Other runs go on; the next start tries it again. */
function givenUp(order?: Order): RunState {
  const failure = new Error(`${MOST_TAKEN} workers ended while they made this run`);
  return {
    values: {},
    stages: [],
    resumed: false,
    threadId: order?.request.threadKey ?? "",
    failure,
  };
}
