import { ThreadHeld } from "../../tools/calls/journal/threadHolds.js";
import { sql } from "../../storage/kysely.js";
import type { Policy } from "../access/policy.js";
import type { ServerStore } from "../schema.js";
import type { Workspace } from "../../home/workspace.js";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Threads that are looked for at once. */
const BATCH = 100;

type Kept = { data: ServerStore; workspace: Workspace };

/** Deletes threads that the operator's file keeps no longer, unless runs of theirs are open. */
export async function deleteOldThreads(server: Kept, wanted: Policy["retention"]): Promise<void> {
  let deleted: number;
  do {
    deleted = 0;
    for (const threadId of await oldThreads(server, wanted)) {
      try {
        if (await deleteThread(server, threadId)) deleted += 1;
      } catch (error) {
        if (!(error instanceof ThreadHeld)) throw error;
      }
    }
  } while (deleted === BATCH);
}

/**
 * Deletes a thread with all that it has left, unless it has open runs.
 *
 * @returns whether it is gone
 * @throws ThreadHeld while somebody works on it
 */
export async function deleteThread({ data, workspace }: Kept, threadId: string): Promise<boolean> {
  await workspace.forget(threadId);
  const idle = data.db.deleteFrom("threads").where("thread_id", "=", threadId);
  const gone = await idle.where("status", "<>", "busy").returning("thread_id").executeTakeFirst();
  if (gone === undefined) return false;
  await data.db.deleteFrom("runs").where("thread_id", "=", threadId).execute();
  return true;
}

async function oldThreads({ data }: Kept, wanted: Policy["retention"]): Promise<string[]> {
  const { days, perOwner } = wanted;
  const now = await data.now();
  const expired = await data.db
    .selectFrom("threads")
    .select("thread_id")
    .where("status", "<>", "busy")
    .where("ttl_minutes", "is not", null)
    .where(sql<boolean>`updated_at + ttl_minutes * ${MINUTE_MS} < ${now}`)
    .limit(BATCH)
    .execute();
  const ids = expired.map(({ thread_id }) => thread_id);
  if (ids.length > 0 || (days === undefined && perOwner === undefined)) return ids;
  const before = days === undefined ? 0 : now - days * DAY_MS;
  const ranked = data.db
    .selectFrom("threads")
    .select(["thread_id", "updated_at", "status"])
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((row) => row.partitionBy("owner").orderBy("updated_at", "desc").orderBy("thread_id"))
        .as("rank"),
    );
  const old = await data.db
    .selectFrom(ranked.as("ranked"))
    .select("thread_id")
    .where("status", "<>", "busy")
    .where((thread) =>
      thread.or([
        thread("updated_at", "<", before),
        thread("rank", ">", perOwner ?? Number.MAX_SAFE_INTEGER),
      ]),
    )
    .limit(BATCH)
    .execute();
  return old.map(({ thread_id }) => thread_id);
}
