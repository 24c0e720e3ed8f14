import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { persistently, storableText } from "../postgres/unavailable.js";
import {
  type DataPlace,
  type Store,
  type StoreMigrations,
  openStore,
  schemaOf,
} from "../database.js";
import { sql } from "../kysely.js";
import type { Permit } from "./savedRows.js";
import { Saver } from "./saver.js";

/** What is needed besides its checkpoints to list or continue a thread. */
export interface Thread {
  id: string;
  /** Id of the graph of the thread's last run. */
  graph: string;
  /** Settings of the thread's last run, as the user gave them. */
  settings: Record<string, unknown>;
  request: string;
  /** How the last run ended; `running` until then, even if its process has died. */
  status: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

/** The checkpoints of all threads of a home, and a list of these threads. */
export type Checkpoints = ReturnType<typeof openCheckpoints>;

interface ThreadTables {
  threads: Omit<Thread, "settings" | "updatedAt"> & { settings: string; updated_at: string };
}

/** The list of threads. SQLite numbers rows by itself. */
const threadsTable = (text: string, number = "") =>
  `CREATE TABLE threads (
     id ${text} PRIMARY KEY,
     graph ${text} NOT NULL,
     settings ${text} NOT NULL,
     request ${text} NOT NULL,
     status ${text} NOT NULL,
     updated_at ${text} NOT NULL${number}
   )`;

/** Tables with the names and columns that LangGraph's own savers gave them, and `pieces`. */
const PLACE = "thread_id text NOT NULL, checkpoint_ns text NOT NULL DEFAULT ''";

const checkpointsTable = (json: string) =>
  `CREATE TABLE IF NOT EXISTS checkpoints (
     ${PLACE}, checkpoint_id text NOT NULL, parent_checkpoint_id text, type text, checkpoint ${json}, metadata ${json},
     PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
   )`;

const writesTable = (name: string, value: string) =>
  `CREATE TABLE IF NOT EXISTS ${name} (
     ${PLACE}, checkpoint_id text NOT NULL, task_id text NOT NULL, idx integer NOT NULL, channel text NOT NULL,
     type text, ${value},
     PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
   )`;

const BLOBS = `CREATE TABLE IF NOT EXISTS checkpoint_blobs (
     ${PLACE}, channel text NOT NULL, version text NOT NULL, type text NOT NULL, blob bytea,
     PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
   )`;

const piecesTable = (bytes: string) =>
  `CREATE TABLE IF NOT EXISTS pieces (
     thread_id text NOT NULL, id text NOT NULL, value ${bytes} NOT NULL, PRIMARY KEY (thread_id, id)
   )`;

/** A database may have them from an earlier version, whose savers made them by themselves. */
const SAVED_TABLES = {
  sqlite: [checkpointsTable("blob"), writesTable("writes", "value blob")],
  postgres: [
    checkpointsTable("jsonb NOT NULL"),
    writesTable("checkpoint_writes", "blob bytea NOT NULL"),
    BLOBS,
    piecesTable("bytea"),
    // Ids begin with the time of the machine that made them. Where a thread goes on with a clock that is behind, its old
    // checkpoints would stay the newest.
    "ALTER TABLE checkpoints ADD COLUMN IF NOT EXISTS seq bigserial",
    "CREATE INDEX IF NOT EXISTS checkpoints_in_order ON checkpoints (thread_id, checkpoint_ns, seq)",
  ],
};

/** The schema of checkpoints, and of the list of threads. */
export const CHECKPOINT_MIGRATIONS: StoreMigrations = {
  sqlite: [[threadsTable("TEXT")], [`${piecesTable("blob")} WITHOUT ROWID`], SAVED_TABLES.sqlite],
  postgres: [
    [
      threadsTable("text", ", seq bigserial"),
      `CREATE INDEX threads_by_time ON threads (updated_at)`,
    ],
    SAVED_TABLES.postgres,
  ],
};

/**
 * Opens the checkpoints of a home: `checkpoints.db`, or a schema of its database.
 *
 * In a file, checkpoints are not synced to disk one by one: a short run would spend most of its time on that. A crash of
 * the process loses none. A power cut may set a run back by some stages; the journal, which is synced, then answers the
 * calls that these stages made.
 */
export function openCheckpoints({
  place,
  permit = { key: "", require: async () => undefined },
}: {
  place: DataPlace;
  permit?: Permit;
}) {
  const store = openStore<ThreadTables>({
    place,
    store: "checkpoints",
    migrations: CHECKPOINT_MIGRATIONS,
    isSynced: false,
  });
  const saver: BaseCheckpointSaver = new Saver({
    name: store.name,
    holdKey: permit.key,
    // Only what is needed is loaded.
    rows: async (json) => {
      const parts = { store, permit, json };
      if (store.kind === "sqlite")
        return (await import("../sqlite/sqliteRows.js")).sqliteRows(parts);
      return (await import("../postgres/postgresRows.js")).postgresRows(parts);
    },
  });
  return { saver, threads: threadTable(store, saver), close: store.close };
}

function threadTable(store: Store<ThreadTables>, saver: BaseCheckpointSaver) {
  const { db } = store;
  // Threads changed in the same millisecond are listed in the order in which they were created.
  const started = store.kind === "sqlite" ? sql`rowid` : sql`seq`;
  const now = async () => new Date(await store.now()).toISOString();
  return {
    /** Newest first. */
    list: () =>
      persistently(store, async () => {
        const all = db.selectFrom("threads").selectAll().orderBy("updated_at", "desc");
        return (await all.orderBy(started, "desc").execute()).map(threadOf);
      }),
    get: (id: string) =>
      persistently(store, async () => {
        const known = db.selectFrom("threads").selectAll().where("id", "=", id);
        const row = await known.executeTakeFirst();
        return row && threadOf(row);
      }),
    put: ({ id, graph, status, ...thread }: Omit<Thread, "updatedAt">) =>
      persistently(store, async () => {
        const settings = JSON.stringify(thread.settings);
        const request = storableText(thread.request);
        const run = { graph, settings, request, status, updated_at: await now() };
        const added = db.insertInto("threads").values({ id, ...run });
        await added.onConflict((known) => known.column("id").doUpdateSet(run)).execute();
      }),
    setStatus: (id: string, status: string) =>
      persistently(store, async () => {
        const changed = db.updateTable("threads").set({ status, updated_at: await now() });
        await changed.where("id", "=", id).execute();
      }),
    delete: (id: string) =>
      persistently(store, async () => {
        await saver.deleteThread(id);
        await db.deleteFrom("threads").where("id", "=", id).execute();
      }),
    /** What its states take. */
    storage: (id: string) => persistently(store, () => storageOf(store, id)),
  };
}

function threadOf(row: ThreadTables["threads"]): Thread {
  const { id, graph, settings, request, status, updated_at: updatedAt } = row;
  return {
    id,
    graph,
    settings: JSON.parse(settings) as Record<string, unknown>,
    request,
    status,
    updatedAt,
  };
}

/** What a thread's states take, in rows and bytes. */
async function storageOf({ db, kind }: Store<ThreadTables>, id: string) {
  const isFile = kind === "sqlite";
  const schema = isFile ? "" : `${schemaOf("checkpoints")}.`;
  const length = sql.raw(isFile ? "octet_length" : "pg_column_size");
  const size = async (table: string, ...columns: string[]) => {
    const bytes = columns.map((name) => sql`coalesce(${length}(${sql.ref(name)}), 0)`);
    const { rows } = await sql<{ count: number; bytes: number }>`
      SELECT count(*) AS count, coalesce(sum(${sql.join(bytes, sql` + `)}), 0) AS bytes
      FROM ${sql.raw(schema + table)} WHERE thread_id = ${id}`.execute(db);
    return { count: Number(rows[0]?.count), bytes: Number(rows[0]?.bytes) };
  };
  const values = await size("pieces", "value");
  const blobs = isFile ? { count: 0, bytes: 0 } : await size("checkpoint_blobs", "blob");
  return {
    checkpoints: await size("checkpoints", "checkpoint", "metadata"),
    /** Parts of values, which all states of the thread share. */
    values: { count: values.count + blobs.count, bytes: values.bytes + blobs.bytes },
    writes: await size(isFile ? "writes" : "checkpoint_writes", isFile ? "value" : "blob"),
  };
}
