import { v7 } from "@langchain/core/utils/uuid";
import { Hono } from "hono";
import pMap from "p-map";
import { z } from "zod";
import { findGraph } from "../../graphs/openGraph.js";
import { ownedBy } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import { copyCheckpoints } from "../runs/servedGraphs.js";
import { type ThreadRow, isOpen } from "../runs/runRow.js";
import type { ThreadPosition } from "../runs/threadEvents.js";
import type { Environment, Server } from "../server.js";
import { toJson } from "./json.js";
import {
  type Request,
  MOST_LISTED,
  answerJson,
  contains,
  flag,
  jsonObject,
  ownerSeen,
  page,
  parsed,
  pathId,
  readBody,
  readQuery,
  refused,
  select,
  tellPage,
  uuid,
} from "./requests.js";
import { checkpointForm, command } from "./runForms.js";
import { sendEvents } from "./sendRun.js";
import { findThread, threadOf, wholeThread } from "./threadRows.js";
import { readHistory, readState, updateState } from "./threadStates.js";

/** States of threads that are read at once. */
const READ_AT_ONCE = 4;

/** How long runs of a thread that is deleted may take to end, in milliseconds. */
const ENDING_MS = 10_000;

/** What only the checkpoints of a thread say. */
const OF_STATE = ["values", "interrupts", "state_updated_at"];

const checkpoint = checkpointForm.extend({ thread_id: z.string().optional() });

const create = z.object({
  thread_id: uuid.optional(),
  metadata: jsonObject.optional(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
  supersteps: z
    .array(
      z.object({
        updates: z.array(
          z.object({ values: z.unknown(), command: command.nullish(), as_node: z.string() }),
        ),
      }),
    )
    .optional(),
});

const search = z.object({
  ids: z.array(uuid).optional(),
  metadata: jsonObject.optional(),
  values: jsonObject.optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  sort_by: z.enum(["thread_id", "status", "created_at", "updated_at"]).default("created_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  ...page,
});

const change = z.object({ metadata: jsonObject.optional() });

const prune = z.object({
  thread_ids: z.array(uuid).max(MOST_LISTED),
  strategy: z
    .literal(
      "delete",
      "is the strategy delete alone here; earlier states are not taken from threads",
    )
    .default("delete"),
});

const streamQuery = z.object({
  stream_mode: z
    .literal("run_modes", "is run_modes alone here: what the runs were asked to stream")
    .optional(),
});

const history = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(10),
  before: z.union([z.string(), checkpoint]).optional(),
  metadata: jsonObject.optional(),
  checkpoint: checkpoint.optional(),
});

const stateUpdate = z.object({
  values: z.union([jsonObject, z.array(jsonObject)]).optional(),
  as_node: z.string().optional(),
  checkpoint_id: z.string().optional(),
  checkpoint: checkpoint.optional(),
});

type Served = Pick<Server, "data" | "runs">;

/** Threads, and the states that their checkpoints hold. */
export function threadRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { data } = server;
  const find = (context: Request) =>
    findThread({ data, context, threadId: pathId(context, "thread_id") });
  app.post("/threads", async (context) => {
    const wanted = await readBody(context, create);
    return answerJson(context, toJson(await createThread({ server, context, wanted })));
  });
  app.post("/threads/search", async (context) => {
    const wanted = await readBody(context, search);
    const { total, threads } = await searchThreads({ server, context, wanted });
    tellPage(context, { ...wanted, total });
    return answerJson(context, toJson(threads));
  });
  app.post("/threads/count", async (context) => {
    const wanted = await readBody(context, search.omit({ limit: true }));
    const { total } = await searchThreads({ server, context, wanted: { ...wanted, limit: 0 } });
    return context.json(total);
  });
  app.get("/threads/:thread_id", async (context) =>
    answerJson(context, toJson(await wholeThread({ server, row: await find(context) }))),
  );
  // The SDK's `patchState` changes the metadata of a thread, too.
  for (const path of ["/threads/:thread_id", "/threads/:thread_id/state"]) {
    app.patch(path, async (context) => {
      const { metadata = {} } = await readBody(context, change);
      const { thread_id } = await find(context);
      const row = await changeMetadata({ data, threadId: thread_id, metadata });
      return answerJson(context, toJson(await wholeThread({ server, row })));
    });
  }
  app.delete("/threads/:thread_id", async (context) => {
    await deleteThread({ server, row: await find(context) });
    return context.body(null, 204);
  });
  app.post("/threads/:thread_id/copy", async (context) => {
    const copy = await copyThread({ server, context, row: await find(context) });
    return answerJson(context, toJson(copy));
  });
  app.post("/threads/prune", async (context) => {
    const { thread_ids } = await readBody(context, prune);
    return context.json({ pruned_count: await pruneThreads({ server, context, ids: thread_ids }) });
  });
  app.get("/threads/:thread_id/stream", async (context) => {
    const { thread_id: threadId } = await find(context);
    const after = positionOf(context);
    readQuery(context, streamQuery);
    context.header("Location", context.req.path);
    return sendEvents({
      context,
      events: (signal) => server.runs.readThread({ threadId, after, signal }),
      onLeft: () => undefined,
    });
  });
  stateRoutes({ app, server, find });
  return app;
}

function stateRoutes(options: {
  app: Hono<Environment>;
  server: Served;
  find: (context: Request) => Promise<ThreadRow>;
}): void {
  const { app, server, find } = options;
  const query = z.object({ subgraphs: flag });
  app.get("/threads/:thread_id/state", async (context) => {
    const { subgraphs } = readQuery(context, query);
    const state = await readState({ server, row: await find(context), subgraphs });
    return answerJson(context, toJson(state));
  });
  app.get("/threads/:thread_id/state/:checkpoint_id", async (context) => {
    const { subgraphs } = readQuery(context, query);
    const named = { checkpoint_id: pathId(context, "checkpoint_id") };
    const row = await find(context);
    return answerJson(
      context,
      toJson(await readState({ server, row, checkpoint: named, subgraphs })),
    );
  });
  app.post("/threads/:thread_id/state/checkpoint", async (context) => {
    const form = z.object({ checkpoint: checkpoint.optional(), subgraphs: z.boolean().optional() });
    const wanted = await readBody(context, form);
    const state = await readState({ server, row: await find(context), ...wanted });
    return answerJson(context, toJson(state));
  });
  app.post("/threads/:thread_id/state", async (context) => {
    const {
      values,
      as_node,
      checkpoint_id,
      checkpoint: named,
    } = await readBody(context, stateUpdate);
    const row = await find(context);
    requireIdle(row);
    const place = { ...named, ...(checkpoint_id ? { checkpoint_id } : {}) };
    const steps = [[{ values: values ?? null, as_node }]];
    const saved = await updateState({ server, row, steps, checkpoint: place });
    return context.json({ checkpoint: saved, configurable: saved });
  });
  const answerHistory = async (context: Request, wanted: z.output<typeof history>) => {
    const { before, ...rest } = wanted;
    const named = typeof before === "string" ? { checkpoint_id: before } : before;
    const states = await readHistory({ server, row: await find(context), ...rest, before: named });
    return answerJson(context, toJson(states));
  };
  app.get("/threads/:thread_id/history", async (context) =>
    answerHistory(context, readQuery(context, history.pick({ limit: true, before: true }))),
  );
  app.post("/threads/:thread_id/history", async (context) =>
    answerHistory(context, await readBody(context, history)),
  );
}

async function createThread(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof create>;
}) {
  const { server, context, wanted } = options;
  const { data } = server;
  const { metadata = {}, supersteps = [] } = wanted;
  if (typeof metadata["graph_id"] === "string") findGraph(metadata["graph_id"]);
  const now = Math.floor(await data.now());
  const row: ThreadRow = {
    thread_id: wanted.thread_id?.toLowerCase() ?? v7(),
    owner: context.get("caller").owner,
    status: "idle",
    metadata: JSON.stringify(metadata),
    config: "{}",
    error: null,
    created_at: now,
    updated_at: now,
  };
  const { numInsertedOrUpdatedRows: inserted } = await data.db
    .insertInto("threads")
    .values(row)
    .onConflict((conflict) => conflict.column("thread_id").doNothing())
    .executeTakeFirst();
  if (Number(inserted) === 0) return await existingThread({ server, context, wanted, row });
  if (supersteps.length > 0) {
    const steps = supersteps.map(({ updates }) =>
      updates.map(({ command: order, ...update }) => ({ ...update, command: order ?? undefined })),
    );
    await updateState({ server, row, steps });
  }
  return await wholeThread({ server, row });
}

async function existingThread(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof create>;
  row: ThreadRow;
}) {
  const { server, context, wanted, row } = options;
  const { thread_id: threadId } = row;
  const taken = new HttpProblem({
    status: 409,
    problem: `thread ${threadId} exists already`,
    hint: 'Send another thread_id, or "if_exists": "do_nothing"',
  });
  if (wanted.if_exists === "raise") throw taken;
  const known = await findThread({ data: server.data, context, threadId }).catch(() => undefined);
  // Another owner's thread is not shown, but its id is taken.
  if (known === undefined) throw taken;
  return await wholeThread({ server, row: known });
}

async function searchThreads(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof search>;
}): Promise<{ total: number; threads: object[] }> {
  const { server, context, wanted } = options;
  const { shown, total } = await chosenRows({ server, owner: ownerSeen(context), wanted });
  const needsState = wanted.select?.some((field) => OF_STATE.includes(field)) ?? true;
  const threads = await pMap(
    shown,
    async (row) =>
      select(needsState ? await wholeThread({ server, row }) : threadOf(row), wanted.select),
    { concurrency: READ_AT_ONCE },
  );
  return { total, threads };
}

async function chosenRows(options: {
  server: Served;
  owner: string | undefined;
  wanted: z.output<typeof search>;
}): Promise<{ shown: ThreadRow[]; total: number }> {
  const { server, owner, wanted } = options;
  const { ids, status, metadata, values, sort_by, sort_order, limit, offset } = wanted;
  const chosen = server.data.db
    .selectFrom("threads")
    .$if(owner !== undefined, (query) => query.where("owner", "=", String(owner)))
    .$if(status !== undefined, (query) => query.where("status", "=", String(status)))
    .$if(ids !== undefined, (query) => query.where("thread_id", "in", ids ?? []));
  const rows = chosen.selectAll().orderBy(sort_by, sort_order).orderBy("thread_id", sort_order);
  if (metadata === undefined && values === undefined) {
    const count = chosen.select((thread) => thread.fn.countAll<number>().as("count"));
    const { count: total } = await count.executeTakeFirstOrThrow();
    const shown = limit === 0 ? [] : await rows.limit(limit).offset(offset).execute();
    return { shown, total };
  }
  // What metadata and states hold is known here alone.
  const known = await rows.execute();
  const named = known.filter((row) => contains(parsed(row.metadata), metadata ?? {}));
  const found = values === undefined ? named : await withValues({ server, rows: named, values });
  return { shown: found.slice(offset, offset + limit), total: found.length };
}

async function withValues(options: {
  server: Served;
  rows: readonly ThreadRow[];
  values: Record<string, unknown>;
}): Promise<ThreadRow[]> {
  const { server, rows, values } = options;
  const fits = async (row: ThreadRow) =>
    contains((await wholeThread({ server, row })).values, values);
  const marks = await pMap(rows, fits, { concurrency: READ_AT_ONCE });
  return rows.filter((_, index) => marks[index]);
}

async function changeMetadata(options: {
  data: Server["data"];
  threadId: string;
  metadata: Record<string, unknown>;
}): Promise<ThreadRow> {
  const { data, threadId, metadata } = options;
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    const row = await db
      .selectFrom("threads")
      .select("metadata")
      .where("thread_id", "=", threadId)
      .$if(data.kind === "postgres", (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    return await db
      .updateTable("threads")
      .set({ metadata: JSON.stringify({ ...parsed(row.metadata), ...metadata }), updated_at: now })
      .where("thread_id", "=", threadId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Those that are not seen are passed over. @returns how many were deleted */
async function pruneThreads(options: {
  server: Served;
  context: Request;
  ids: readonly string[];
}): Promise<number> {
  const { server, context, ids } = options;
  if (ids.length === 0) return 0;
  const rows = await server.data.db
    .selectFrom("threads")
    .selectAll()
    .where(
      "thread_id",
      "in",
      ids.map((id) => id.toLowerCase()),
    )
    .where(ownedBy(context.get("caller")))
    .execute();
  for (const row of rows) await deleteThread({ server, row });
  return rows.length;
}

/**
 * Where a stream of a thread goes on.
 *
 * @throws HttpProblem 422 for what is no id of such a stream
 */
function positionOf(context: Request): ThreadPosition | undefined {
  const last = context.req.header("Last-Event-ID");
  if (last === undefined || last === "") return undefined;
  if (last === "-1") return "first";
  const [runId = "", seq = ""] = last.split(":");
  if (uuid.safeParse(runId).success && /^\d+$/.test(seq)) return { runId, seq: Number(seq) };
  throw refused(`Last-Event-ID: expected the id of an event or -1, got "${last.slice(0, 100)}"`);
}

/** Its runs come to an end first, so that they are charged and nothing is saved after them. */
async function deleteThread({ server, row }: { server: Served; row: ThreadRow }): Promise<void> {
  const { data, runs } = server;
  const { thread_id } = row;
  const ofThread = data.db.selectFrom("runs").selectAll().where("thread_id", "=", thread_id);
  const open = (await ofThread.execute()).filter(isOpen);
  await runs.queue.cancel(open, "interrupt");
  const signal = AbortSignal.timeout(ENDING_MS);
  for (const { run_id } of open) await runs.result({ runId: run_id, signal });
  await data.db.deleteFrom("runs").where("thread_id", "=", thread_id).execute();
  await data.db.deleteFrom("threads").where("thread_id", "=", thread_id).execute();
  await runs.graphs.saver().deleteThread(thread_id);
}

async function copyThread(options: { server: Served; context: Request; row: ThreadRow }) {
  const { server, context, row } = options;
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
  await copyCheckpoints({ saver: runs.graphs.saver(), from: row.thread_id, to: copy.thread_id });
  await data.db.insertInto("threads").values(copy).execute();
  return await wholeThread({ server, row: copy });
}

/** @throws HttpProblem 409 while runs of the thread are under way */
function requireIdle({ thread_id, status }: ThreadRow): void {
  if (status !== "busy") return;
  throw new HttpProblem({
    status: 409,
    problem: `thread ${thread_id} is busy`,
    hint: "Wait until its runs have ended, or cancel them",
  });
}
