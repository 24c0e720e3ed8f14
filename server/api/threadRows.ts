import pMap from "p-map";
import { z } from "zod";
import { type Caller, ownedBy, ownerSeen } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { threadUnknown } from "../problem.js";
import { type RunRow, type ThreadRow, threadRow } from "../runs/runRow.js";
import { type Request, contains, parsed, select, time, shownConfig } from "./requests.js";
import { jsonObject, notOffered, page, pathId, uuid } from "./taking.js";
import { readState } from "./threadStates.js";
import type { ServerStore } from "../schema.js";
import type { Runs } from "../runs/runs.js";

/** A thread as its row says, without its checkpoints. */
function threadOf(row: ThreadRow) {
  return {
    thread_id: row.thread_id,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    state_updated_at: time(row.updated_at),
    metadata: parsed(row.metadata),
    status: row.status,
    config: shownConfig(parsed(row.config)),
    error: row.error,
  };
}

/** A thread with its values and open interrupts. */
export async function wholeThread(thread: { server: { runs: Runs }; row: ThreadRow }) {
  const { values, tasks, created_at } = await readState(thread);
  const waiting = tasks.filter(({ interrupts }) => interrupts.length > 0);
  return {
    ...threadOf(thread.row),
    ...(created_at ? { state_updated_at: created_at } : {}),
    values: created_at ? values : null,
    interrupts: Object.fromEntries(waiting.map(({ id, interrupts }) => [id, interrupts])),
  };
}

/** The latest run of a thread; undefined for a thread without runs. */
export async function lastRun(data: ServerStore, threadId: string): Promise<RunRow | undefined> {
  const ofThread = data.db.selectFrom("runs").selectAll().where("thread_id", "=", threadId);
  return await ofThread.orderBy("created_at", "desc").limit(1).executeTakeFirst();
}

/** A thread that the caller may see; undefined for any other. */
export async function seenThread(data: ServerStore, caller: Caller, threadId: string) {
  const row = await threadRow(data, threadId);
  const isOwn = row && [undefined, row.owner].includes(ownerSeen(caller));
  return isOwn && isShown(caller, "threads", row.metadata) ? row : undefined;
}

/** The same of a request, by default the thread in its path. @throws HttpProblem 404 */
export async function findThread(data: ServerStore, context: Request, id?: string) {
  const threadId = id ?? pathId(context, "thread_id");
  const row = await seenThread(data, context.get("caller"), threadId);
  if (!row) throw threadUnknown(threadId);
  return row;
}

/** States that are read at once. */
const READ_AT_ONCE = 4;

/** Fields that are kept in a thread's checkpoints, not in its row. */
const OF_STATE = ["values", "interrupts", "state_updated_at"];

/** What threads are searched by. */
export const searchForm = z.object({
  ids: z.array(uuid).optional(),
  metadata: jsonObject.optional(),
  values: z.never("is not offered: search by ids, metadata and status").optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  sort_by: z
    .enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"])
    .default("created_at")
    // A thread changes with its state.
    .transform((key) => (key === "state_updated_at" ? "updated_at" : key)),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  extract: notOffered("select says which fields"),
  ...page,
});

type Wanted = z.output<typeof searchForm>;

/** Threads that the caller sees, with their states if those are asked for. */
export async function searchThreads(
  server: { data: ServerStore; runs: Runs },
  context: Request,
  wanted: Wanted,
): Promise<{ total: number; threads: object[] }> {
  const { shown, total } = await chosenRows(server.data, context.get("caller"), wanted);
  const needsState = wanted.select?.some((field) => OF_STATE.includes(field)) ?? true;
  const threads = await pMap(
    shown,
    async (row) =>
      select(needsState ? await wholeThread({ server, row }) : threadOf(row), wanted.select),
    { concurrency: READ_AT_ONCE },
  );
  return { total, threads };
}

async function chosenRows({ db }: ServerStore, caller: Caller, wanted: Wanted) {
  const { ids, status, metadata, sort_by, sort_order, limit, offset } = wanted;
  const chosen = db
    .selectFrom("threads")
    .where(ownedBy(caller))
    .$if(status !== undefined, (query) => query.where("status", "=", String(status)))
    .$if(ids !== undefined, (query) => query.where("thread_id", "in", ids ?? []));
  const rows = chosen.selectAll().orderBy(sort_by, sort_order).orderBy("thread_id", sort_order);
  if (metadata === undefined && !caller.project) {
    const count = chosen.select((thread) => thread.fn.countAll<number>().as("count"));
    const { count: total } = await count.executeTakeFirstOrThrow();
    const shown = limit === 0 ? [] : await rows.limit(limit).offset(offset).execute();
    return { shown, total };
  }
  // The database cannot look into metadata.
  const known = await rows.execute();
  const found = known.filter(
    (row) =>
      isShown(caller, "threads", row.metadata) && contains(parsed(row.metadata), metadata ?? {}),
  );
  return { shown: found.slice(offset, offset + limit), total: found.length };
}
