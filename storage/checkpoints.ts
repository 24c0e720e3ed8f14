import { randomInt } from "node:crypto";
import { join } from "node:path";
import { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
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
import type { PostgresSavers } from "./postgresSaver.js";
import { type Database, openDatabase } from "./sqlite.js";
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
    /** Deletes a thread with its checkpoints. */
    delete: (id: string) => Promise<void>;
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

/** The schema of the list of threads. */
export const CHECKPOINT_MIGRATIONS: StoreMigrations = {
  sqlite: [[threadsTable()]],
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
    threads: threadTable(store, saver),
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
function inFile({ home }: DataPlace, permit: Permit): PermittedSaver {
  const file = join(home, `${STORE}.db`);
  const database = openDatabase({ file, migrations: CHECKPOINT_MIGRATIONS.sqlite });
  database.pragma("synchronous = NORMAL");
  return new PermittedSaver(database, permit);
}

/** A run that has lost its thread to another run must not add checkpoints to it. */
class PermittedSaver extends SqliteSaver {
  constructor(
    readonly database: Database,
    readonly permit: Permit,
  ) {
    super(database);
  }

  override async put(...saved: Parameters<SqliteSaver["put"]>) {
    await this.permit(saved[0].configurable ?? {});
    return await super.put(...saved);
  }

  override async putWrites(...saved: Parameters<SqliteSaver["putWrites"]>) {
    await this.permit(saved[0].configurable ?? {});
    await super.putWrites(...saved);
  }

  override async deleteThread(threadId: string) {
    // Otherwise the tables would be created at the first read.
    this.setup();
    await super.deleteThread(threadId);
  }

  async close(): Promise<void> {
    this.database.close();
  }
}

function inDatabase(url: string, permit: Permit): DatabaseSaver {
  return new DatabaseSaver(databaseName(url), async () => {
    requireExtra("postgres");
    const { openPostgresSavers } = await import("./postgresSaver.js");
    return await openPostgresSavers({ url, schema: schemaOf(STORE), permit });
  });
}

type Saver = BaseCheckpointSaver;

/** Loads the Postgres code on first use, and retries while the database is away: every operation may be done twice. */
class DatabaseSaver extends BaseCheckpointSaver {
  private opened: Promise<PostgresSavers> | undefined;

  constructor(
    readonly name: string,
    readonly open: () => Promise<PostgresSavers>,
  ) {
    super();
  }

  override getTuple(config: Parameters<Saver["getTuple"]>[0]) {
    return this.with((savers) => savers.for().getTuple(config));
  }

  override async *list(...search: Parameters<Saver["list"]>) {
    yield* await this.with(async (savers) => {
      const found = [];
      for await (const tuple of savers.for().list(...search)) found.push(tuple);
      return found;
    });
  }

  override put(...saved: Parameters<Saver["put"]>) {
    return this.with((savers) => savers.for(saved[0].configurable).put(...saved));
  }

  override putWrites(...saved: Parameters<Saver["putWrites"]>) {
    return this.with((savers) => savers.for(saved[0].configurable).putWrites(...saved));
  }

  override deleteThread(threadId: string) {
    return this.with((savers) => savers.for().deleteThread(threadId));
  }

  /**
   * Postgres stores each version of a channel once for all branches of a thread, so two branches must not use the
   * same version number.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + randomInt(BRANCHES) / BRANCHES;
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private with<Result>(work: (savers: PostgresSavers) => Promise<Result>): Promise<Result> {
    return persistently(this, async () => {
      this.opened ??= this.open().catch((error: unknown) => {
        this.opened = undefined;
        throw error;
      });
      return await work(await this.opened);
    });
  }
}

/** Number of different fractions that tell branches apart; count and fraction together still fit a double. */
const BRANCHES = 2 ** 30;

function threadTable(store: Store<ThreadTables>, saver: Saver): Checkpoints["threads"] {
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
    delete: (id) =>
      persistently(store, async () => {
        await saver.deleteThread(id);
        await db.deleteFrom("threads").where("id", "=", id).execute();
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
