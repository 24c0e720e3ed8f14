import { onTestFinished } from "vitest";
import { type DataPlace, openStore } from "../../storage/database.js";
import { openJournal } from "../../tools/calls/journal/journal.js";
import { RUN_MIGRATIONS, type RunTables } from "../../tools/calls/journal/journalSchema.js";

/** Opens a journal that is closed with the test. */
export function journalAt(
  place: DataPlace,
  settings: { leaseMs?: number } = {},
): ReturnType<typeof openJournal> {
  const journal = openJournal(place, settings);
  onTestFinished(() => journal.close());
  return journal;
}

/** What another machine or another time would have written down of an owner. */
export type OwnerChange = Partial<RunTables["owners"]>;

/** Silent for longer than any lease, on another machine. */
export const GONE: OwnerChange = { host: "elsewhere", beat_at: 0 };

/** Changes what is written down of whoever holds a thread or runs a call on it. */
export async function pretend(
  place: DataPlace,
  threadId: string,
  changes: OwnerChange,
): Promise<void> {
  const store = openStore<RunTables>({ place, store: "runs", migrations: RUN_MIGRATIONS });
  const holds = store.db.selectFrom("holds").select("owner").where("thread_id", "=", threadId);
  const calls = store.db
    .selectFrom("calls")
    .select("owner")
    .where("thread_id", "=", threadId)
    .where("owner", "is not", null);
  const owners = [...(await holds.execute()), ...(await calls.execute())];
  await store.db
    .updateTable("owners")
    .set(changes)
    .where(
      "id",
      "in",
      owners.flatMap(({ owner }) => owner ?? []),
    )
    .execute();
  await store.close();
}
