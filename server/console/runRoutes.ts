import { Hono } from "hono";
import { z } from "zod";
import { type Caller, ownedBy } from "../access/caller.js";
import { waitingRuns, mayRelease } from "../access/waitingRuns.js";
import { readQuery, tellPage, time, uuid } from "../api/requests.js";
import { findRun } from "../api/runs.js";
import { RUN_STATUSES, isOpen } from "../runs/runRow.js";
import type { Environment, Server } from "../server.js";
import { type ShownRun, endOf, latestOf, shownRow, watchedRun } from "./watchedRun.js";

/** A run that waits because the day's budget of its caller is used up. */
export interface WaitingRun {
  runId: string;
  graph: string;
  request: string;
  createdAt: string;
  /** When it begins by itself. */
  until: string;
  /** Whose budget is used up: the name of the key, or else the caller's id. */
  caller: string;
  /** Whether this page's user may let it begin at once. */
  mayRelease: boolean;
}

const list = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(30),
  offset: z.coerce.number().int().min(0).default(0),
  thread: uuid.optional(),
  status: z.enum(RUN_STATUSES).optional(),
});

type Served = Pick<Server, "data" | "runs" | "workspace">;

/** The latest runs, the runs that wait for a budget, and what one run has done. */
export function runRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/runs", async (context) => {
    const wanted = readQuery(context, list);
    const { total, runs } = await latestRuns({ server, caller: context.get("caller"), wanted });
    tellPage(context, { ...wanted, total });
    return context.json(runs);
  });
  app.get("/waiting", async (context) => {
    const caller = context.get("caller");
    const waiting = await waitingRuns({ data: server.data, caller });
    return context.json(
      waiting.map(({ key_name, ...row }): WaitingRun => {
        const { runId, graph, request, createdAt } = shownRow(row);
        const until = time(row.due_at);
        const known = { caller: key_name || row.caller, mayRelease: mayRelease(caller, row) };
        return { runId, graph, request, createdAt, until, ...known };
      }),
    );
  });
  app.get("/runs/:run_id", async (context) =>
    context.json(await watchedRun(server, await findRun({ server, context }))),
  );
  return app;
}

async function latestRuns(options: {
  server: Served;
  caller: Caller;
  wanted: z.output<typeof list>;
}): Promise<{ total: number; runs: ShownRun[] }> {
  const { server, caller, wanted } = options;
  const { limit, offset, thread, status } = wanted;
  const found = server.data.db
    .selectFrom("runs")
    .leftJoin("threads", "threads.thread_id", "runs.thread_id")
    .where(ownedBy(caller, "runs.owner"))
    .$if(thread !== undefined, (query) => query.where("runs.thread_id", "=", String(thread)))
    .$if(status !== undefined, (query) => query.where("runs.status", "=", String(status)));
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll("runs")
    .select("threads.status as thread_status")
    .orderBy("runs.created_at", "desc")
    .orderBy("runs.run_id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const latest = await latestOf(server, [...new Set(rows.map((row) => row.thread_id))]);
  const runs = rows.map(async ({ thread_status, ...row }): Promise<ShownRun> => {
    // Earlier runs of a thread no longer wait for anything.
    const isLatest = latest.get(row.thread_id) === row.created_at;
    const waits = isLatest && !isOpen(row) && thread_status === "interrupted";
    return { ...shownRow(row), ...(await endOf(server, row)), waits };
  });
  return { total, runs: await Promise.all(runs) };
}
