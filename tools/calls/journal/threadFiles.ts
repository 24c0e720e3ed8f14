import { createHash } from "node:crypto";
import type { Store } from "../../../storage/database.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import { sql } from "../../../storage/kysely.js";
import { asBuffer } from "../../../storage/sqlite/sqlite.js";
import type { ThreadFiles } from "../../remote.js";
import type { RunTables } from "./journalSchema.js";

/** Bytes of all files of a thread; what comes after them is not kept. */
export const MOST_FILE_BYTES = 100_000_000;

export function threadFiles(store: Store<RunTables>): ThreadFiles {
  const of = (threadId: string) => store.db.selectFrom("files").where("thread_id", "=", threadId);
  return {
    keepFile: ({ threadId, data, mimeType = "" }) =>
      persistently(store, async () => {
        const name = nameOf(data, mimeType);
        const row = { thread_id: threadId, name, bytes: data.length, data };
        return await store.transaction(async (db) => {
          const ofThread = db.selectFrom("files").where("thread_id", "=", threadId);
          const known = ofThread.select("name").where("name", "=", name);
          if (await known.executeTakeFirst()) return name;
          const used = ofThread.select(sql<number>`coalesce(sum(bytes), 0)`.as("used"));
          const room = await db
            .selectFrom("calls")
            .select("id")
            .where("thread_id", "=", threadId)
            .where(used, "<=", MOST_FILE_BYTES - data.length)
            .executeTakeFirst();
          if (!room) return undefined;
          const insertion = db.insertInto("files").values(row);
          await insertion.onConflict((same) => same.doNothing()).execute();
          return name;
        });
      }),
    files: (threadId, names) =>
      persistently(store, async () => {
        const found = of(threadId).select(["name", "data"]).where("name", "in", names);
        const rows = await found.execute();
        return rows.map(({ name, data }) => ({ name, data: asBuffer(data) as Buffer }));
      }),
    copyFiles: ({ from, to }) =>
      persistently(store, async () => {
        const columns = ["name", "bytes", "data"] as const;
        await store.db
          .insertInto("files")
          .columns(["thread_id", ...columns])
          .expression(of(from).select([sql<string>`${to}`.as("thread_id"), ...columns]))
          .onConflict((known) => known.doNothing())
          .execute();
      }),
  };
}

function nameOf(data: Buffer, mimeType: string): string {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 32);
  const [, ending = "bin"] = /^[\w.+-]+\/([\w-]{1,40})/.exec(mimeType) ?? [];
  return `received/${hash}.${ending}`;
}
