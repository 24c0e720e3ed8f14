import { ownedBy } from "../access/caller.js";
import type { Server } from "../server.js";
import { type ThreadRow } from "../runs/runRow.js";
import { threadUnknown } from "../runs/queue.js";
import { type Request, parsed, time } from "./requests.js";
import { type StateAnswer, readState } from "./threadStates.js";

/** A thread without what its checkpoints say. */
export function threadOf(row: ThreadRow) {
  return {
    thread_id: row.thread_id,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    state_updated_at: time(row.updated_at),
    metadata: parsed(row.metadata),
    status: row.status,
    config: parsed(row.config),
    error: row.error,
  };
}

/** A thread with its values, and with what it waits for. */
export async function wholeThread({
  server,
  row,
}: {
  server: Pick<Server, "runs">;
  row: ThreadRow;
}) {
  const { values, tasks, created_at } = await readState({ server, row });
  const waiting = tasks.filter(({ interrupts }) => interrupts.length > 0);
  return {
    ...threadOf(row),
    ...(created_at ? { state_updated_at: created_at } : {}),
    values: created_at ? values : null,
    interrupts: Object.fromEntries(
      waiting.map((task: StateAnswer["tasks"][number]) => [task.id, task.interrupts]),
    ),
  };
}

/** A thread that the caller may see. @throws HttpProblem 404 */
export async function findThread({
  data,
  context,
  threadId,
}: {
  data: Server["data"];
  context: Request;
  threadId: string;
}): Promise<ThreadRow> {
  const row = await data.db
    .selectFrom("threads")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where(ownedBy(context.get("caller")))
    .executeTakeFirst();
  if (row === undefined) throw threadUnknown(threadId);
  return row;
}
