import { createHash } from "node:crypto";
import type { Store } from "../../../storage/database.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import { sql } from "../../../storage/kysely.js";
import { asBuffer } from "../../../storage/sqlite/sqlite.js";
import type { RunTables } from "./journalSchema.js";

/** Bytes of all files of a thread; what comes after them is not kept. */
export const MOST_FILE_BYTES = 100_000_000;

/** A file that a tool has sent. */
export interface ThreadFile {
  /** @example "received/3f0c….png" */
  name: string;
  data: Buffer;
}

/** The files that tools have sent to a thread. They are nobody else's, and go with it. */
export interface ThreadFiles {
  /**
   * Keeps a file, once for the same contents.
   *
   * @returns its name; undefined if the thread has no room left, or was deleted
   */
  keepFile: (
    file: Pick<ThreadFile, "data"> & { threadId: string; mimeType?: string },
  ) => Promise<string | undefined>;
  /** Those of a thread that have these names. */
  files: (threadId: string, names: readonly string[]) => Promise<ThreadFile[]>;
  /** Gives a copy of a thread its files. */
  copyFiles: (threads: { from: string; to: string }) => Promise<void>;
}

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
