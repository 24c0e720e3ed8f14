import { join } from "node:path";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { requireExtra } from "../common/extras.js";
import { databaseName, persistently, storableText } from "./away.js";
import {
  type DataPlace,
  type Store,
  type StoreMigrations,
  openStore,
  schemaOf,
} from "./database.js";
import { sql } from "./kysely.js";
import { LeanSaver } from "./leanSaver.js";
import type { Pieces } from "./pieces.js";
import { type Database, asBuffer, openDatabase } from "./sqlite.js";
import { SqliteSaver } from "./sqliteSaver.js";

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
export interface Checkpoints {
  saver: BaseCheckpointSaver;
  threads: {
    /** Newest first. */
    list: () => Promise<Thread[]>;
    get: (id: string) => Promise<Thread | undefined>;
    put: (thread: Omit<Thread, "updatedAt">) => Promise<void>;
    setStatus: (id: string, status: string) => Promise<void>;
  };
  close: () => Promise<void>;
}

/**
 * Called before a run saves something; throws if the run may no longer do so.
 *
 * @param within runs a query in the transaction that saves; only given with a Postgres database
 */
export type Permit = (
  configurable: Readonly<Record<string, unknown>>,
  within?: (query: { sql: string; parameters: readonly unknown[] }) => Promise<readonly unknown[]>,
) => Promise<void>;

interface ThreadTables {
  threads: {
    id: string;
    graph: string;
    settings: string;
    request: string;
    status: string;
    updated_at: string;
  };
}

/** The list of threads; savers create their own tables. SQLite numbers rows by itself. */
const threadsTable = (number = "") =>
  `CREATE TABLE threads (
     id text PRIMARY KEY,
     graph text NOT NULL,
     settings text NOT NULL,
     request text NOT NULL,
     status text NOT NULL,
     updated_at text NOT NULL${number}
   )`;

const PIECES = `CREATE TABLE pieces (
     thread_id TEXT NOT NULL,
     id TEXT NOT NULL,
     value BLOB NOT NULL,
     PRIMARY KEY (thread_id, id)
   ) WITHOUT ROWID`;

/** The schema of the list of threads, and in SQLite that of pieces. */
export const CHECKPOINT_MIGRATIONS: StoreMigrations = {
  sqlite: [[threadsTable()], [PIECES]],
  postgres: [
    [threadsTable(", seq bigserial"), `CREATE INDEX threads_by_time ON threads (updated_at)`],
  ],
};

const STORE = "checkpoints";

/** Opens the checkpoints of a home: `checkpoints.db`, or a schema of its database. */
export function openCheckpoints({
  place,
  permit = async () => undefined,
}: {
  place: DataPlace;
  permit?: Permit;
}): Checkpoints {
  const store = openStore<ThreadTables>({ place, store: STORE, migrations: CHECKPOINT_MIGRATIONS });
  const saver = place.url === undefined ? inFile(place, permit) : inDatabase(place.url, permit);
  return {
    saver,
    threads: threadTable(store),
    close: async () => {
      await saver.close();
      await store.close();
    },
  };
}

/**
 * Checkpoints are not synced to disk one by one: a short run would spend most of its time on that. A crash of the
 * process loses none. A power cut may set a run back by some stages; the journal, which is synced, then answers the
 * calls that these stages made.
 */
function inFile({ home }: DataPlace, permit: Permit): LeanSaver {
  const file = join(home, `${STORE}.db`);
  const database = openDatabase({ file, migrations: CHECKPOINT_MIGRATIONS.sqlite });
  database.pragma("synchronous = NORMAL");
  const saver = new FileSaver(database);
  saver.setup();
  const rows = pieceRows(database);
  return new LeanSaver(file, async () => ({
    ...rows,
    reader: () => saver,
    writer: async (run, pieces) => {
      await permit(run);
      rows.add(String(run["thread_id"]), pieces);
      return saver;
    },
    close: async () => void database.close(),
  }));
}

/** The package creates its tables at the first read, which removing a thread does not wait for. */
class FileSaver extends SqliteSaver {
  override setup(): void {
    super.setup();
  }
}

function pieceRows(database: Database) {
  const all = database.prepare(
    `SELECT id, value FROM pieces
     WHERE thread_id = ? AND id IN (SELECT value FROM json_each(?))`,
  );
  const insert = database.prepare("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?)");
  const add = database.transaction((threadId: string, pieces: Pieces) => {
    for (const [id, value] of pieces) insert.run(threadId, id, value);
  });
  return {
    add: (threadId: string, pieces: Pieces) => {
      if (pieces.size > 0) add(threadId, pieces);
    },
    read: async (threadId: string, ids: readonly string[]) => {
      const rows = all.all(threadId, JSON.stringify(ids)) as { id: string; value: unknown }[];
      return new Map(rows.map(({ id, value }) => [id, asBuffer(value) as Buffer]));
    },
    remove: async (threadId: string) => {
      database.prepare("DELETE FROM pieces WHERE thread_id = ?").run(threadId);
    },
  };
}

function inDatabase(url: string, permit: Permit): LeanSaver {
  return new LeanSaver(databaseName(url), async () => {
    requireExtra("postgres");
    const { openPostgresSavers } = await import("./postgresSaver.js");
    return await openPostgresSavers({ url, schema: schemaOf(STORE), permit });
  });
}

function threadTable(store: Store<ThreadTables>): Checkpoints["threads"] {
  const { db } = store;
  // Threads changed in the same millisecond are listed in the order in which they were created.
  const started = store.kind === "sqlite" ? sql`rowid` : sql`seq`;
  const now = async () => new Date(await store.now()).toISOString();
  return {
    list: () =>
      persistently(store, async () => {
        const all = db.selectFrom("threads").selectAll().orderBy("updated_at", "desc");
        return (await all.orderBy(started, "desc").execute()).map(threadOf);
      }),
    get: (id) =>
      persistently(store, async () => {
        const row = await db
          .selectFrom("threads")
          .selectAll()
          .where("id", "=", id)
          .executeTakeFirst();
        return row && threadOf(row);
      }),
    put: ({ id, graph, status, ...thread }) =>
      persistently(store, async () => {
        const settings = JSON.stringify(thread.settings);
        const request = storableText(thread.request);
        const run = { graph, settings, request, status, updated_at: await now() };
        await db
          .insertInto("threads")
          .values({ id, ...run })
          .onConflict((known) => known.column("id").doUpdateSet(run))
          .execute();
      }),
    setStatus: (id, status) =>
      persistently(store, async () => {
        await db
          .updateTable("threads")
          .set({ status, updated_at: await now() })
          .where("id", "=", id)
          .execute();
      }),
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
