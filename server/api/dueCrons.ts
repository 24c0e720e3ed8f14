import { v5 } from "@langchain/core/utils/uuid";
import { messageOf } from "../../common/errors.js";
import type { Caller } from "../access/caller.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import { type Served, createRun } from "./createRun.js";
import { runForm } from "./runForm.js";
import { type CronRow, scheduled } from "./crons.js";
import { parsed } from "./requests.js";

type Queueing = Served & { telemetry: Telemetry };

/** How often this process looks for crons that are due, in milliseconds. */
const LOOK_MS = 2_000;

/** Looks for crons that are due, and queues their runs. @returns a function that ends it */
export function startCrons(server: Queueing): () => void {
  // If the database is away, the next look catches up.
  const looking = setInterval(() => void queueDue(server).catch(() => undefined), LOOK_MS);
  looking.unref();
  return () => clearInterval(looking);
}

/** Queues the runs of crons that are due. One that was missed, because no server ran, begins once. */
async function queueDue(server: Queueing): Promise<void> {
  const { data } = server;
  const now = Math.floor(await data.now());
  const crons = data.db.selectFrom("crons").selectAll().where("next_at", "<=", now).limit(100);
  const due = await crons.execute();
  for (const row of due) {
    await queueRun(server, row);
    // Not before: a process that dies in between leaves it to another one.
    const { next_at } = scheduled({ ...row, updated_at: now });
    const moved = data.db.updateTable("crons").set({ next_at }).where("cron_id", "=", row.cron_id);
    await moved.where("next_at", "=", row.next_at).execute();
  }
}

async function queueRun(server: Queueing, row: CronRow): Promise<void> {
  const { cron_id, thread_id, next_at } = row;
  // Two processes that find it due at once want a run of the same id.
  const runId = v5(`${next_at}`, cron_id);
  if (await server.runs.find(runId)) return;
  const caller = JSON.parse(row.caller) as Caller;
  try {
    if (!(await server.access.revocations.mayBegin(caller.id)))
      throw new Error("its key was revoked or has expired");
    const { on_run_completed = "delete", ...asked } = parsed(row.payload);
    const form = runForm.parse({
      multitask_strategy: "enqueue",
      ...asked,
      on_completion: on_run_completed,
      metadata: { ...parsed(row.metadata), cron_id },
    });
    const threadId = thread_id ?? undefined;
    await createRun({ server, form, caller, threadId, runId, isStreamed: true });
  } catch (error) {
    if (await server.runs.find(runId)) return;
    const problem = messageOf(error);
    server.telemetry.log({ level: "warn", event: "cron_refused", cronId: cron_id, problem });
  }
}
