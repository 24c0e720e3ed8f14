import { Hono } from "hono";
import { z } from "zod";
import { ownedBy } from "../access/caller.js";
import { conflict, notFound } from "../problem.js";
import {
  CANCEL_ACTIONS,
  type CancelAction,
  RUN_STATUSES,
  type RunRow,
  STREAM_MODES,
  isOpen,
  threadRow,
} from "../runs/runRow.js";
import type { Environment } from "../server.js";
import { type Served, createRun, runAnswer } from "./createRun.js";
import { runForm } from "./runForm.js";
import { type Request, refused, select, toJson } from "./requests.js";
import { MOST_LISTED, body, flag, notOffered, pathId, query, texts, uuid } from "./taking.js";
import { runOfKey, seesRun } from "./sameRun.js";
import { sendEvents, sendResult } from "./sendRun.js";
import { findThread } from "./threadRows.js";
import { readState } from "./threadStates.js";

const joinQuery = z.object({ cancel_on_disconnect: flag });

const cancelQuery = z.object({ action: z.enum(CANCEL_ACTIONS).default("interrupt") });

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(10),
  offset: z.coerce.number().int().min(0).default(0),
  status: z.enum(RUN_STATUSES).optional(),
  metadata: notOffered("list the runs of a thread by status"),
  select: texts,
});

const cancelMany = z.object({
  thread_id: uuid.optional(),
  run_ids: z.array(uuid).optional(),
  status: z.enum(["pending", "running", "all"]).optional(),
});

const batchForm = z.array(runForm).min(1).max(MOST_LISTED);

/** The names in a list of runs as the API has them: `createBatch` of LangGraph's SDK sends its own (`streamMode`), too. */
function inSnakeCase(runs: unknown): unknown {
  if (!Array.isArray(runs)) return runs;
  return runs.map((run) =>
    Object.fromEntries(
      Object.entries(Object(run)).map(([name, value]) => [snakeCase(name), value]),
    ),
  );
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Runs: on a thread, or stateless ones, whose thread is deleted when they end. */
export function runRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  app.post("/runs/batch", body(batchForm, inSnakeCase), async (context) => {
    const forms = context.req.valid("json");
    const made: RunRow[] = [];
    for (const form of forms)
      made.push(await createRun({ server, context, form, isStreamed: true }));
    return context.json(made.map(runAnswer));
  });
  app.post("/runs/cancel", query(cancelQuery), body(cancelMany), async (context) => {
    const { action } = context.req.valid("query");
    await cancelRuns(server, context, { action, ...context.req.valid("json") });
    return context.body(null, 204);
  });
  for (const base of ["/runs", "/threads/:thread_id/runs"]) createRoutes(app, server, base);
  app.get("/threads/:thread_id/runs", query(listQuery), async (context) => {
    const { limit, offset, status, select: selected } = context.req.valid("query");
    const threadId = pathId(context, "thread_id");
    const { thread_id } = await findThread(server.data, context, threadId);
    const rows = await server.data.db
      .selectFrom("runs")
      .selectAll()
      .where("thread_id", "=", thread_id)
      .$if(status !== undefined, (query) => query.where("status", "=", String(status)))
      .orderBy("created_at", "desc")
      .orderBy("run_id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    return context.json(rows.map((row) => select(runAnswer(row), selected)));
  });
  for (const base of ["/runs/:run_id", "/threads/:thread_id/runs/:run_id"])
    runRoutesOf(app, server, base);
  return app;
}

/** Ways to start a run: in the background, waiting for its result, streaming it. */
function createRoutes(app: Hono<Environment>, server: Served, base: string): void {
  const begin = async (context: Request, form: z.output<typeof runForm>, isStreamed: boolean) => {
    const threadId = base === "/runs" ? undefined : pathId(context, "thread_id");
    const run = await runOfKey(server, context, threadId, (runId) =>
      createRun({ server, context, form, threadId, isStreamed, runId }),
    );
    const place = threadId === undefined ? "" : `/threads/${threadId}`;
    context.header("Content-Location", `${place}/runs/${run.run_id}`);
    return run;
  };
  app.post(base, body(runForm), async (context) =>
    context.json(runAnswer(await begin(context, context.req.valid("json"), true))),
  );
  app.post(`${base}/wait`, body(runForm), async (context) => {
    const form = context.req.valid("json");
    const run = await begin(context, form, false);
    return result(server, context, run, form.on_disconnect === "cancel");
  });
  app.post(`${base}/stream`, body(runForm), async (context) => {
    const form = context.req.valid("json");
    const run = await begin(context, form, true);
    // Where clients that lose the connection go on, with `Last-Event-ID`.
    context.header("Location", `/threads/${run.thread_id}/runs/${run.run_id}/stream`);
    const cancels = form.on_disconnect === "cancel";
    return sendEvents({
      ...sending(server, context, run, cancels),
      events: eventsOf(server, run, -1),
    });
  });
}

function runRoutesOf(app: Hono<Environment>, server: Served, base: string): void {
  app.get(base, async (context) => context.json(runAnswer(await findRun(server, context))));
  app.delete(base, async (context) => {
    const run = await findRun(server, context);
    if (isOpen(run)) throw conflict(`run ${run.run_id} has not finished`, "Cancel it first");
    await server.data.db.deleteFrom("runs").where("run_id", "=", run.run_id).execute();
    return context.body(null, 204);
  });
  app.get(`${base}/join`, query(joinQuery), async (context) => {
    const { cancel_on_disconnect: cancels = false } = context.req.valid("query");
    return result(server, context, await findRun(server, context), cancels);
  });
  app.get(`${base}/stream`, query(joinQuery.extend({ stream_mode: texts })), async (context) => {
    const { cancel_on_disconnect: cancels = false, stream_mode } = context.req.valid("query");
    const run = await findRun(server, context);
    const last = context.req.header("Last-Event-ID");
    const after = last === undefined || last === "" ? -1 : Number(last);
    if (!Number.isSafeInteger(after))
      throw refused(
        `Last-Event-ID: expected the id of an event, got "${String(last).slice(0, 100)}"`,
      );
    context.header("Location", context.req.path);
    context.header("Content-Location", context.req.path.replace(/\/stream$/, ""));
    return sendEvents({
      ...sending(server, context, run, cancels),
      events: eventsOf(server, run, after),
      modes: modesAsked(stream_mode),
    });
  });
  app.post(`${base}/cancel`, query(cancelQuery.extend({ wait: flag })), async (context) => {
    const { wait = false, action } = context.req.valid("query");
    const run = await findRun(server, context);
    await server.runs.queue.cancel([run], action);
    if (!wait) return context.body(null, 202);
    await server.runs.result({ runId: run.run_id, signal: context.req.raw.signal });
    return context.body(null, 204);
  });
}

/** @param after the id of the last event that the client has */
function eventsOf(server: Served, run: RunRow, after: number) {
  return async function* (signal: AbortSignal) {
    for await (const { seq, ...event } of server.runs.read({ runId: run.run_id, after, signal }))
      yield { id: String(seq), ...event };
  };
}

/** @returns undefined for all */
function modesAsked(asked: readonly string[] = []): Set<string> | undefined {
  const known = asked
    .flatMap((text) => text.split(","))
    .map((text) => text.replaceAll(/["[\]]/g, "").trim());
  const unknown = known.find((mode) => !STREAM_MODES.some((one) => one === mode));
  if (unknown !== undefined)
    throw refused(
      `query.stream_mode: expected one or more of ${STREAM_MODES.join(", ")}, got "${unknown.slice(0, 100)}"`,
    );
  return known.length > 0 ? new Set(known) : undefined;
}

/** The run in the path. @throws HttpProblem 404 if there is none that the caller sees */
export async function findRun(server: Pick<Served, "data" | "runs">, context: Request) {
  const runId = pathId(context, "run_id");
  const run = await server.runs.find(runId);
  const isSeen = run !== undefined && (await seesRun(server, context.get("caller"), run));
  const threadId = context.req.param("thread_id");
  if (isSeen && (threadId === undefined || run.thread_id === threadId.toLowerCase())) return run;
  throw notFound(`run ${runId} not found`);
}

/** The result of a run: the stored one, or else the values of its thread. */
async function resultOf(server: Served, run: RunRow, signal: AbortSignal): Promise<string> {
  const kept = await server.runs.result({ runId: run.run_id, signal });
  if (kept !== undefined || signal.aborted) return kept ?? "null";
  const row = await threadRow(server.data, run.thread_id);
  if (row === undefined) return "null";
  const { values, tasks } = await readState({ server, row });
  const interrupts = tasks.flatMap((task) => task.interrupts);
  return toJson(interrupts.length > 0 ? { ...Object(values), __interrupt__: interrupts } : values);
}

/** @param cancels whether the run is cancelled when its client leaves before the end */
function sending(server: Served, context: Request, run: RunRow, cancels: boolean) {
  // If the database is away, the run goes on.
  const cancel = () => void server.runs.queue.cancel([run], "interrupt").catch(() => undefined);
  const { revocations } = server.access;
  return { context, revocations, ...(cancels && { onLeft: cancel }) };
}

function result(server: Served, context: Request, run: RunRow, cancels: boolean): Response {
  return sendResult({
    ...sending(server, context, run, cancels),
    result: (signal) => resultOf(server, run, signal),
  });
}

async function cancelRuns(
  server: Served,
  context: Request,
  wanted: z.output<typeof cancelMany> & { action: CancelAction },
): Promise<void> {
  const { action, thread_id, run_ids, status } = wanted;
  if (run_ids === undefined && status === undefined)
    throw refused(
      "body: expected run_ids, or a status of the runs to cancel (pending, running, all)",
    );
  const statuses = status === undefined || status === "all" ? ["pending", "running"] : [status];
  const rows = await server.data.db
    .selectFrom("runs")
    .selectAll()
    .where("status", "in", statuses)
    .where(ownedBy(context.get("caller")))
    .$if(thread_id !== undefined, (query) => query.where("thread_id", "=", String(thread_id)))
    .$if(run_ids !== undefined, (query) => query.where("run_id", "in", run_ids ?? []))
    .execute();
  const caller = context.get("caller");
  const seen = await Promise.all(rows.map((run) => seesRun(server, caller, run)));
  const cancelled = rows.filter((_run, at) => seen[at]);
  await server.runs.queue.cancel(cancelled, action);
}
