import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { schemaOf } from "../database.js";
import { migratePostgres, newerData } from "../postgresMigrations.js";
import { isAway } from "../away.js";
import { borrowPool, type SharedPool } from "../postgresPool.js";
import { closedStore, type Database, openDatabase, StorageFailed } from "../sqlite.js";
import { attempt, type Changes, hasChanges, noteChanges } from "./attempt.js";
import { type MirrorState, prepareState, readState, type Staging, staging } from "./fileRows.js";
import {
  fetchRows,
  hasWrite,
  isEarlier,
  type PostgresRows,
  pushChanges,
  readRemoteState,
  tableStatements,
} from "./postgresRows.js";
import type { RowAccess, RowStoreOptions } from "./rowStore.js";
import { type MirroredTable, mirroredTables } from "./tables.js";

/** How old rows may be by default when they are read, in milliseconds. */
const FRESH_MS = 1_000;

/** First half of the key of a store's advisory lock; any fixed number. */
const WRITE_LOCK = 7_158_548;

/** A store's file that is to show its rows in Postgres. */
export interface MirrorOptions extends RowStoreOptions {
  url: string;
  file: string;
  /** The connection over which the file is read. */
  database: Database;
}

/**
 * Opens the mirror of a store's rows in Postgres. There is one write at a time: under an advisory lock it is tried on
 * the newest rows, sent, and put into the file once Postgres has it.
 */
export function openMirror(options: MirrorOptions): RowAccess {
  const { database, file, migrations, store, url } = options;
  prepareState(database);
  const local = localSide(options);
  const pool = borrowPool(url);
  const remote = remoteSide({ pool, store, versions: migrations.length, tables: local.tables });
  const inTurn = turns();
  /** When Postgres was last asked for changes, by a clock that never goes back. */
  let askedAt = -Infinity;
  let isTold = false;

  const requireOpen = () => {
    if (!database.open) throw closedStore(file);
  };

  const catchUp = async (rows: PostgresRows, theirs: MirrorState): Promise<void> => {
    const ours = readState(database);
    if (ours && isSame(ours, theirs)) return;
    const isPart = await isEarlier(rows, { local: ours, remote: theirs });
    await fetchRows(rows, { after: isPart ? ours?.number : undefined, into: local.staging });
    local.staging.move(theirs, { isWhole: !isPart });
  };

  const ask = async (): Promise<void> => {
    requireOpen();
    const begun = performance.now();
    const isFilled = readState(database) !== undefined;
    try {
      await remote.read({ isPatient: !isFilled, ours: () => readState(database), catchUp });
      isTold = false;
    } catch (error) {
      if (!isFilled || !isAway(error)) throw error;
      if (!isTold) process.emitWarning(`${pool.name} is away: the last known ${store} are used`);
      isTold = true;
    }
    askedAt = begun;
  };

  return {
    refresh: async ({ maxAgeMs = FRESH_MS } = {}) => {
      requireOpen();
      const begun = performance.now();
      if (begun - askedAt < maxAgeMs) return;
      await inTurn(async () => {
        // Whoever was waiting before may have asked meanwhile; an older answer may be too old.
        if (askedAt <= begun - maxAgeMs) await ask();
      });
    },
    write: async (work) =>
      await inTurn(async () => {
        requireOpen();
        const begun = performance.now();
        const { result, changes, state } = await persisting(pool, () =>
          remote.write(async (rows, theirs) => {
            await catchUp(rows, theirs);
            requireOpen();
            return attempt({ ...local, database: local.trying(), work });
          }),
        );
        if (state) local.putIn({ changes, state });
        askedAt = begun;
        return result;
      }),
    close: async () => {
      await inTurn(async () => local.close());
      await pool.end();
    },
  };
}

function isSame(one: MirrorState, other: MirrorState): boolean {
  return one.origin === other.origin && one.number === other.number && one.mark === other.mark;
}

/** Does one piece of work after another, whether or not they succeed. */
function turns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** The file's other two connections: one tries writes, one puts rows in. */
function localSide({ file, migrations, caches = [] }: MirrorOptions) {
  const connect = () => openDatabase({ file, migrations });
  const putting = connect();
  putting.pragma("foreign_keys = OFF");
  const tables = mirroredTables(putting, caches);
  const rows: Staging = staging({ database: putting, tables, caches });
  let trying: Database | undefined;
  return {
    tables,
    staging: rows,
    trying: () => {
      if (trying) return trying;
      trying = connect();
      noteChanges(trying, tables);
      return trying;
    },
    putIn: ({ changes, state }: { changes: Changes; state: MirrorState }) => {
      rows.clear();
      for (const table of tables) {
        rows.put(table, changes.rows.get(table.name) ?? []);
        rows.remove(table.name, changes.gone.get(table.name) ?? []);
      }
      rows.move(state, { isWhole: false });
    },
    close: () => {
      putting.close();
      trying?.close();
    },
  };
}

/** The rows in Postgres. */
function remoteSide(options: {
  pool: SharedPool;
  store: string;
  versions: number;
  tables: readonly MirroredTable[];
}) {
  const { pool, store, versions, tables } = options;
  const schema = schemaOf(store);
  let migrated: Promise<void> | undefined;
  const migrate = (): Promise<void> => {
    const steps = Array.from({ length: versions }, (_, at) =>
      at === versions - 1 ? tableStatements(tables) : [],
    );
    migrated ??= migratePostgres({ pool, store, schema, steps }).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    return migrated;
  };
  const stateOf = async (client: PoolClient): Promise<MirrorState> => {
    const { version, ...state } = await readRemoteState({ client, schema }, store);
    // Another process may have migrated the schema to a version unknown here.
    if (version > versions) throw newerData({ name: pool.name, store, version, known: versions });
    return state;
  };
  return {
    read: async (how: {
      isPatient: boolean;
      ours: () => MirrorState | undefined;
      catchUp: (rows: PostgresRows, theirs: MirrorState) => Promise<void>;
    }): Promise<void> => {
      const client = how.isPatient ? await pool.connect() : await pool.pool.connect();
      await releasing(client, async () => {
        await migrate();
        const ours = how.ours();
        if (ours && isSame(ours, await stateOf(client))) return;
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        await how.catchUp({ client, schema, tables }, await stateOf(client));
        await client.query("COMMIT");
      });
    },
    /** Sends what the work has changed; without changes there is no new state. */
    write: async <Result>(
      work: (
        rows: PostgresRows,
        theirs: MirrorState,
      ) => Promise<{ result: Result; changes: Changes }>,
    ): Promise<{ result: Result; changes: Changes; state: MirrorState | undefined }> => {
      await migrate();
      const client = await pool.connect();
      return await releasing(client, async () => {
        await client.query("BEGIN");
        await lock(client, schema);
        const theirs = await stateOf(client);
        const rows = { client, schema, tables };
        const done = await work(rows, theirs);
        if (!hasChanges(done.changes)) {
          await client.query("ROLLBACK");
          return { ...done, state: undefined };
        }
        const { counters } = done.changes;
        const { origin, number } = theirs;
        const state = { origin, number: number + 1, mark: randomUUID(), counters };
        await pushChanges(rows, { changes: done.changes, state });
        await commit({ client, pool, schema, state });
        return { ...done, state };
      });
    },
  };
}

async function lock(client: PoolClient, schema: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [WRITE_LOCK, schema]);
}

/** If the connection is lost during the commit, another one is asked whether the commit took place. */
async function commit(options: {
  client: PoolClient;
  pool: SharedPool;
  schema: string;
  state: MirrorState;
}): Promise<void> {
  const { client, pool, schema, state } = options;
  try {
    await client.query("COMMIT");
  } catch (error) {
    if (!isAway(error)) throw error;
    const asking = await pool.connect();
    const isMade = await releasing(asking, async () => {
      await asking.query("BEGIN");
      // Once this lock is granted, the lost transaction is over.
      await lock(asking, schema);
      const made = await hasWrite({ client: asking, schema }, state);
      await asking.query("ROLLBACK");
      return made;
    });
    if (!isMade) throw error;
  }
}

/** How often a write is tried if its connection is lost; nothing of a lost write is stored. */
const TRIES = 3;

async function persisting<Result>(pool: SharedPool, write: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await write();
    } catch (error) {
      // A connection that could not be opened was waited for already.
      if (!isAway(error) || error instanceof StorageFailed) throw error;
      if (tried === TRIES) throw lostWrite({ pool, error });
    }
  }
}

function lostWrite({ pool, error }: { pool: SharedPool; error: unknown }): StorageFailed {
  return new StorageFailed(
    {
      file: pool.name,
      problem: "the connection was lost, and nothing was written",
      hint: "Try again",
    },
    { cause: error },
  );
}

const ignore = () => undefined;

/** Releases a connection after work. After a failure it is rolled back, or thrown away if that fails too. */
async function releasing<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  let failure: Error | undefined;
  // Without a listener, a connection lost between two queries would end the process.
  client.on("error", ignore);
  try {
    return await work();
  } catch (error) {
    failure = await client.query("ROLLBACK").then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(failure);
  }
}
