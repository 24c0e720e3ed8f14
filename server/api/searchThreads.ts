import pMap from "p-map";
import { z } from "zod";
import { ownedBy } from "../access/caller.js";
import type { ThreadRow } from "../runs/runRow.js";
import type { Server } from "../server.js";
import { type Request, contains, jsonObject, page, parsed, select, uuid } from "./requests.js";
import { threadOf, wholeThread } from "./threadRows.js";

/** States that are read at once. */
const READ_AT_ONCE = 4;

/** Fields that are kept in a thread's checkpoints, not in its row. */
const OF_STATE = ["values", "interrupts", "state_updated_at"];

/** What threads are searched by. */
export const searchForm = z.object({
  ids: z.array(uuid).optional(),
  metadata: jsonObject.optional(),
  values: jsonObject.optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  sort_by: z.enum(["thread_id", "status", "created_at", "updated_at"]).default("created_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  ...page,
});

/** Threads that the caller sees, with their states if those are asked for. */
export async function searchThreads(options: {
  server: Pick<Server, "data" | "runs">;
  context: Request;
  wanted: z.output<typeof searchForm>;
}): Promise<{ total: number; threads: object[] }> {
  const { server, wanted } = options;
  const { shown, total } = await chosenRows(options);
  const needsState = wanted.select?.some((field) => OF_STATE.includes(field)) ?? true;
  const threads = await pMap(
    shown,
    async (row) =>
      select(needsState ? await wholeThread({ server, row }) : threadOf(row), wanted.select),
    { concurrency: READ_AT_ONCE },
  );
  return { total, threads };
}

async function chosenRows({
  server,
  context,
  wanted,
}: Parameters<typeof searchThreads>[0]): Promise<{ shown: ThreadRow[]; total: number }> {
  const { ids, status, metadata, values, sort_by, sort_order, limit, offset } = wanted;
  const chosen = server.data.db
    .selectFrom("threads")
    .where(ownedBy(context.get("caller")))
    .$if(status !== undefined, (query) => query.where("status", "=", String(status)))
    .$if(ids !== undefined, (query) => query.where("thread_id", "in", ids ?? []));
  const rows = chosen.selectAll().orderBy(sort_by, sort_order).orderBy("thread_id", sort_order);
  if (metadata === undefined && values === undefined) {
    const count = chosen.select((thread) => thread.fn.countAll<number>().as("count"));
    const { count: total } = await count.executeTakeFirstOrThrow();
    const shown = limit === 0 ? [] : await rows.limit(limit).offset(offset).execute();
    return { shown, total };
  }
  // The database cannot look into metadata and states.
  const known = await rows.execute();
  const named = known.filter((row) => contains(parsed(row.metadata), metadata ?? {}));
  const found = values === undefined ? named : await withValues(server, named, values);
  return { shown: found.slice(offset, offset + limit), total: found.length };
}

async function withValues(
  server: Pick<Server, "data" | "runs">,
  rows: readonly ThreadRow[],
  values: Record<string, unknown>,
): Promise<ThreadRow[]> {
  const fits = async (row: ThreadRow) =>
    contains((await wholeThread({ server, row })).values, values);
  const marks = await pMap(rows, fits, { concurrency: READ_AT_ONCE });
  return rows.filter((_, index) => marks[index]);
}
