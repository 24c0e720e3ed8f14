import { ownedBy } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import { threadUnknown } from "../runs/queue.js";
import type { ThreadRow } from "../runs/runRow.js";
import type { Server } from "../server.js";
import { type Request, parsed, time } from "./requests.js";
import { readState } from "./threadStates.js";

/** A thread as its row says, without its checkpoints. */
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

/** A thread with its values and open interrupts. */
export async function wholeThread(thread: { server: Pick<Server, "runs">; row: ThreadRow }) {
  const { values, tasks, created_at } = await readState(thread);
  const waiting = tasks.filter(({ interrupts }) => interrupts.length > 0);
  return {
    ...threadOf(thread.row),
    ...(created_at ? { state_updated_at: created_at } : {}),
    values: created_at ? values : null,
    interrupts: Object.fromEntries(waiting.map(({ id, interrupts }) => [id, interrupts])),
  };
}

/** A thread that the caller may see. @throws HttpProblem 404 */
export async function findThread(options: {
  data: Server["data"];
  context: Request;
  threadId: string;
}): Promise<ThreadRow> {
  const { data, context, threadId } = options;
  const row = await data.db
    .selectFrom("threads")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where(ownedBy(context.get("caller")))
    .executeTakeFirst();
  if (row === undefined) throw threadUnknown(threadId);
  return row;
}

/** @throws HttpProblem 409 while the thread has open runs */
export function requireIdle({ thread_id, status }: ThreadRow): void {
  if (status !== "busy") return;
  throw new HttpProblem({
    status: 409,
    problem: `thread ${thread_id} is busy`,
    hint: "Wait until its runs have ended, or cancel them",
  });
}
