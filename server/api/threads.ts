import { v7 } from "@langchain/core/utils/uuid";
import { Hono } from "hono";
import { z } from "zod";
import { findGraph } from "../../graphs/ownGraphs.js";
import { HttpProblem, requireIdle, threadIsBusy } from "../problem.js";
import { deleteThread as removeThread } from "../runs/retention.js";
import { changeMetadata } from "../runs/queueRows.js";
import { copyCheckpoints } from "../runs/servedGraphs.js";
import { type ThreadRow, isOpen } from "../runs/runRow.js";
import type { Environment } from "../server.js";
import {
  type Request,
  answerJson,
  jsonObject,
  pathId,
  readBody,
  tellPage,
  uuid,
} from "./requests.js";
import { findThread, searchForm, searchThreads, wholeThread } from "./threadRows.js";
import { stateRoutes } from "./threadStates.js";
import type { ServerStore } from "../schema.js";
import type { Runs } from "../runs/runs.js";
import type { Workspace } from "../../home/workspace.js";

/** How long the runs of a thread may take to end before it is deleted, in milliseconds. */
const ENDING_MS = 10_000;

const create = z.object({
  thread_id: uuid.optional(),
  metadata: jsonObject.optional(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
});

const change = z.object({ metadata: jsonObject.optional() });

type Served = { data: ServerStore; runs: Runs; workspace: Workspace };

/** Threads, and the states that their checkpoints hold. */
export function threadRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { data } = server;
  const find = (context: Request) => findThread(data, context, pathId(context, "thread_id"));
  app.post("/threads", async (context) => {
    const wanted = await readBody(context, create);
    return answerJson(context, await createThread(server, context, wanted));
  });
  app.post("/threads/search", async (context) => {
    const wanted = await readBody(context, searchForm);
    const { total, threads } = await searchThreads({ server, context, wanted });
    tellPage(context, { ...wanted, total });
    return answerJson(context, threads);
  });
  app.post("/threads/count", async (context) => {
    const wanted = await readBody(context, searchForm.omit({ limit: true }));
    const { total } = await searchThreads({ server, context, wanted: { ...wanted, limit: 0 } });
    return context.json(total);
  });
  app.get("/threads/:thread_id", async (context) =>
    answerJson(context, await wholeThread({ server, row: await find(context) })),
  );
  // The SDK's `patchState` changes the metadata of a thread, too.
  for (const path of ["/threads/:thread_id", "/threads/:thread_id/state"]) {
    app.patch(path, async (context) => {
      const { metadata = {} } = await readBody(context, change);
      const { thread_id } = await find(context);
      const row = await changeMetadata(data, thread_id, metadata);
      return answerJson(context, await wholeThread({ server, row }));
    });
  }
  app.delete("/threads/:thread_id", async (context) => {
    await deleteThread(server, await find(context));
    return context.body(null, 204);
  });
  app.post("/threads/:thread_id/copy", async (context) => {
    const copy = await copyThread(server, context, await find(context));
    return answerJson(context, copy);
  });
  stateRoutes({ app, server, find });
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
    created_at: now,
    updated_at: now,
  };
  const { numInsertedOrUpdatedRows: inserted } = await data.db
    .insertInto("threads")
    .values(row)
    .onConflict((conflict) => conflict.column("thread_id").doNothing())
    .executeTakeFirst();
  if (Number(inserted) === 0) return await existingThread(server, context, wanted, row.thread_id);
  return await wholeThread({ server, row });
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
  throw new HttpProblem({
    status: 409,
    problem: `thread ${threadId} already exists`,
    hint: 'Send another thread_id, or "if_exists": "do_nothing"',
  });
}

/** Ends the thread's runs first, so that they are charged and save nothing afterwards. */
async function deleteThread(server: Served, row: ThreadRow): Promise<void> {
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
