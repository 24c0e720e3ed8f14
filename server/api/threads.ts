import { v7 } from "@langchain/core/utils/uuid";
import { Hono } from "hono";
import { z } from "zod";
import { findGraph } from "../../graphs/ownGraphs.js";
import { conflict, requireIdle, threadIsBusy } from "../problem.js";
import { deleteThread as removeThread } from "../runs/retention.js";
import { changeMetadata } from "../runs/queueRows.js";
import { copyCheckpoints } from "../runs/servedGraphs.js";
import { type ThreadRow, isOpen } from "../runs/runRow.js";
import type { Environment } from "../server.js";
import type { Served } from "./createRun.js";
import { type Request, answerJson, tellPage, time } from "./requests.js";
import { MOST_LISTED, body, jsonObject, notOffered, query, uuid } from "./taking.js";
import { findThread, searchForm, searchThreads, wholeThread } from "./threadRows.js";
import { putSupersteps, requireGraph, stateRoutes } from "./threadStates.js";
import { protocolRoutes } from "./protocol.js";
import { socketRoutes } from "./socket.js";

/** How long the runs of a thread may take to end before it is deleted, in milliseconds. */
const ENDING_MS = 10_000;

const supersteps = z.array(
  z.object({
    updates: z.array(
      z.object({
        values: z.unknown(),
        as_node: z.string().optional(),
        command: notOffered("give the values"),
      }),
    ),
  }),
);

/** Minutes after its last change when a thread is deleted. */
const ttl = z
  .union([
    z.number().positive(),
    z.object({ ttl: z.number().positive(), strategy: z.literal("delete").default("delete") }),
  ])
  .transform((given) => (typeof given === "number" ? given : given.ttl));

const create = z.object({
  thread_id: uuid.optional(),
  metadata: jsonObject.optional(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
  supersteps: supersteps.optional(),
  ttl: ttl.optional(),
});

const change = z.object({ metadata: jsonObject.optional(), ttl: ttl.optional() });

const one = z.object({ include: z.literal("ttl").optional() });

const prune = z.object({
  thread_ids: z.array(uuid).min(1).max(MOST_LISTED),
  strategy: z.enum(["delete", "keep_latest"]).default("delete"),
});

/** Threads, and the states that their checkpoints hold. */
export function threadRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { data } = server;
  const find = (context: Request) => findThread(data, context);
  app.post("/threads", body(create), async (context) => {
    const wanted = context.req.valid("json");
    return answerJson(context, await createThread(server, context, wanted));
  });
  app.post("/threads/search", body(searchForm), async (context) => {
    const wanted = context.req.valid("json");
    const { total, threads } = await searchThreads(server, context, wanted);
    tellPage(context, { ...wanted, total });
    return answerJson(context, threads);
  });
  app.post("/threads/count", body(searchForm.omit({ limit: true })), async (context) => {
    const wanted = context.req.valid("json");
    const { total } = await searchThreads(server, context, { ...wanted, limit: 0 });
    return context.json(total);
  });
  app.post("/threads/prune", body(prune), async (context) => {
    const { thread_ids, strategy } = context.req.valid("json");
    const rows: ThreadRow[] = [];
    for (const id of thread_ids) rows.push(await findThread(data, context, id.toLowerCase()));
    for (const row of rows)
      await (strategy === "delete" ? deleteThread(server, row) : keepLatest(server, row));
    return context.json({ pruned_count: rows.length });
  });
  app.get("/threads/:thread_id", query(one), async (context) => {
    const row = await find(context);
    const { include } = context.req.valid("query");
    return answerJson(context, {
      ...(await wholeThread({ server, row })),
      ...(include && ttlOf(row)),
    });
  });
  app.get("/threads/:thread_id/storage", async (context) => {
    const { thread_id } = await find(context);
    const { threads } = server.workspace.checkpoints();
    const { checkpoints, values, writes } = await threads.storage(thread_id);
    return context.json({
      thread_id,
      total_bytes: checkpoints.bytes + values.bytes + writes.bytes,
      checkpoints,
      // Values are kept in parts that channels share.
      channel_values: { ...values, by_channel: {} },
      pending_writes: writes,
    });
  });
  // The SDK's `patchState` changes the metadata of a thread, too.
  for (const path of ["/threads/:thread_id", "/threads/:thread_id/state"])
    app.patch(path, body(change), async (context) => {
      const { metadata = {}, ttl } = context.req.valid("json");
      const { thread_id } = await find(context);
      const row = await changeMetadata(data, thread_id, metadata, ttl);
      if (context.req.header("Prefer") === "return=minimal") return context.body(null, 204);
      return answerJson(context, await wholeThread({ server, row }));
    });
  app.delete("/threads/:thread_id", async (context) => {
    await deleteThread(server, await find(context));
    return context.body(null, 204);
  });
  app.post("/threads/:thread_id/copy", async (context) => {
    const copy = await copyThread(server, context, await find(context));
    return answerJson(context, copy);
  });
  stateRoutes(app, server, find);
  protocolRoutes(app, server);
  socketRoutes(app, server);
  return app;
}

async function createThread(server: Served, context: Request, wanted: z.output<typeof create>) {
  const { data } = server;
  const { metadata = {} } = wanted;
  if (typeof metadata["graph_id"] === "string") findGraph(metadata["graph_id"]);
  const now = Math.floor(await data.now());
  const row: ThreadRow = {
    thread_id: wanted.thread_id?.toLowerCase() ?? v7(),
    owner: context.get("caller").owner,
    status: "idle",
    metadata: JSON.stringify(metadata),
    config: "{}",
    error: null,
    ttl_minutes: wanted.ttl ?? null,
    created_at: now,
    updated_at: now,
  };
  if (wanted.supersteps) requireGraph(row);
  const { numInsertedOrUpdatedRows: inserted } = await data.db
    .insertInto("threads")
    .values(row)
    .onConflict((conflict) => conflict.column("thread_id").doNothing())
    .executeTakeFirst();
  if (Number(inserted) === 0) return await existingThread(server, context, wanted, row.thread_id);
  if (wanted.supersteps) await putSupersteps({ server, row, supersteps: wanted.supersteps });
  return await wholeThread({ server, row });
}

/** When a thread will be deleted, if somebody has said so. */
function ttlOf({ ttl_minutes, updated_at }: ThreadRow) {
  if (ttl_minutes === null) return {};
  const expires_at = time(updated_at + ttl_minutes * 60_000);
  return { ttl: { strategy: "delete", ttl_minutes, expires_at } };
}

/** Forgets all of a thread's states but the latest. */
async function keepLatest({ runs }: Served, row: ThreadRow): Promise<void> {
  requireIdle(row);
  const { thread_id } = row;
  const saver = runs.graphs.saver();
  const place = { configurable: { thread_id } };
  const latest = new Map<unknown, string>();
  for await (const { config, checkpoint } of saver.list(place)) {
    const namespace = config.configurable?.["checkpoint_ns"];
    if (!latest.has(namespace)) latest.set(namespace, checkpoint.id);
  }
  const ids = new Set(latest.values());
  await copyCheckpoints({
    saver,
    from: thread_id,
    to: thread_id,
    isLeftOut: (_metadata, { checkpoint }) => !ids.has(checkpoint.id),
    isKept: () => true,
  });
}

async function existingThread(
  server: Served,
  context: Request,
  wanted: z.output<typeof create>,
  threadId: string,
) {
  const known =
    wanted.if_exists === "do_nothing"
      ? await findThread(server.data, context, threadId).catch(() => undefined)
      : undefined;
  if (known) return await wholeThread({ server, row: known });
  // Also if the id belongs to another owner's thread, which is not shown.
  throw conflict(
    `thread ${threadId} already exists`,
    'Send another thread_id, or "if_exists": "do_nothing"',
  );
}

/** Ends the thread's runs first, so that they are charged and save nothing afterwards. */
export async function deleteThread(server: Served, row: ThreadRow): Promise<void> {
  const { data, runs } = server;
  const { thread_id } = row;
  const ofThread = data.db.selectFrom("runs").selectAll().where("thread_id", "=", thread_id);
  const open = (await ofThread.execute()).filter(isOpen);
  await runs.queue.cancel(open, "interrupt");
  const signal = AbortSignal.timeout(ENDING_MS);
  for (const { run_id } of open) await runs.result({ runId: run_id, signal });
  if (!(await removeThread(server, thread_id))) throw threadIsBusy(thread_id);
}

async function copyThread(server: Served, context: Request, row: ThreadRow) {
  const { data, runs } = server;
  requireIdle(row);
  const now = Math.floor(await data.now());
  const copy: ThreadRow = {
    ...row,
    thread_id: v7(),
    owner: context.get("caller").owner,
    created_at: now,
    updated_at: now,
  };
  const threads = { from: row.thread_id, to: copy.thread_id };
  await copyCheckpoints({ saver: runs.graphs.saver(), ...threads });
  await server.workspace.runtime.journal.copyFiles(threads);
  await data.db.insertInto("threads").values(copy).execute();
  return await wholeThread({ server, row: copy });
}
