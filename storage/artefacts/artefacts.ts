import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import {
  type ArtefactTables,
  fetchRevision,
  type Revision,
  revisionFiles,
  storeRevision,
} from "./artefactFiles.js";
import { databaseName, isAway } from "../postgres/unavailable.js";
import { schemaOf, type StoreMigrations } from "../database.js";
import { type SharedPool, borrowPool, migratePostgres } from "../postgres/postgresPool.js";
import { closedStore, type Database, openDatabase, StorageFailed } from "../sqlite/sqlite.js";
import { Latest } from "../../common/bounds.js";

/** How old what is known of an artefact may be when it is read, in milliseconds. */
const FRESH_MS = 1_000;

/** How often a change is tried if others are faster, or the connection is lost. */
const TRIES = 10;

/** Longest pause before the next try, in milliseconds. */
const PAUSE_MS = 200;

/** Names of which the newest revision is remembered. */
const MOST_KNOWN = 10_000;

/**
 * SQLite files by name, whose revisions are kept whole in Postgres. A revision never changes; it is fetched once into a
 * folder and read there. A change is made to a copy of the newest revision and published as the next one, unless
 * somebody else has published one since: then it is made again, on that one.
 */
export interface Artefacts {
  /** The names of all, sorted. While the database is away, those known last. */
  names: () => Promise<string[]>;
  /** The newest revision; undefined if there is no such artefact. While the database is away, the one known last. */
  newest: (name: string) => Promise<Database | undefined>;
  /** The revision that was the newest when that was last asked. */
  read: (name: string) => Database | undefined;
  /**
   * Does work on copies of the newest revisions and publishes those that it has changed, all or none. The work may be
   * repeated.
   *
   * @throws StorageFailed when others were faster too often, or the database cannot be reached; nothing is changed then
   */
  write: <Result>(names: readonly string[], work: Work<Result>) => Promise<Result>;
  remove: (names: readonly string[]) => Promise<void>;
  /** From now on, the database is asked again before anything counts as the newest. */
  refresh: () => void;
  close: () => Promise<void>;
}

interface ArtefactOptions {
  url: string;
  /** Where fetched revisions are kept. */
  folder: string;
  /** The store's name in the database. */
  store: string;
  /** The tables of the files, and those of the database: artefacts, revisions and parts. */
  migrations: StoreMigrations;
  /** Prepares a new file, for an artefact with a number that no other one gets. */
  prepare: (database: Database, number: number) => void;
}

type Work<Result> = (databaseOf: (name: string) => Database) => Result;

/** What is known of an artefact, and since when by a clock that never goes back. */
interface Known {
  revision: Revision | undefined;
  askedAt: number;
}

export function openArtefacts(options: ArtefactOptions): Artefacts {
  const { store, folder, migrations } = options;
  const pool = borrowPool(options.url);
  // A version of the program has files of its own, with its tables.
  const files = revisionFiles(join(folder, `${store}-${migrations.sqlite.length}`));
  const connected = connecting({ ...options, pool });
  const known = new Latest<string, Known>(MOST_KNOWN);
  const inTurn = turns();
  let names: string[] | undefined;
  let staleUntil = -Infinity;
  let isTold = false;
  let isOpen = true;

  const requireOpen = () => {
    if (!isOpen) throw closedStore(pool.name);
  };
  /** Asks the database, or goes on with what is known while it is away. */
  const ask = async <Answer>(
    last: Answer | undefined,
    question: (tables: ArtefactTables) => Promise<Answer>,
  ): Promise<Answer> => {
    requireOpen();
    try {
      const answer = await connected(question, { isPatient: last === undefined });
      isTold = false;
      return answer;
    } catch (error) {
      if (last === undefined || !isAway(error)) throw error;
      if (!isTold) process.emitWarning(`${pool.name} is away: the last known ${store} are used`);
      isTold = true;
      return last;
    }
  };
  const read = (name: string) => {
    requireOpen();
    const revision = known.get(name)?.revision;
    return revision && files.read(revision);
  };
  return {
    names: async () => {
      names = await ask(names, allNames);
      return names;
    },
    newest: async (name) => {
      const last = known.get(name);
      const askedAt = performance.now();
      if (!last || last.askedAt <= Math.max(staleUntil, askedAt - FRESH_MS)) {
        const { revision } = await ask(last, async (tables) => ({
          revision: await newestFile({ ...options, tables, files, name }),
          askedAt,
        }));
        known.set(name, { revision, askedAt });
      }
      return read(name);
    },
    read,
    write: async <Result>(wanted: readonly string[], work: Work<Result>) =>
      await inTurn(async () => {
        requireOpen();
        const askedAt = performance.now();
        const sorted = [...new Set(wanted)].toSorted();
        const { result, newest } = await persisting<Result>(sorted, pool, (before) =>
          connected((tables) => change({ ...options, tables, files, names: sorted, work, before })),
        );
        for (const { name, revision } of newest) known.set(name, { revision, askedAt });
        return result;
      }),
    remove: async (gone) => {
      await connected(({ client, schema }) =>
        client.query(`DELETE FROM ${schema}.artefacts WHERE name = ANY($1)`, [gone]),
      );
      for (const name of gone) known.delete(name);
    },
    refresh: () => {
      staleUntil = performance.now();
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await inTurn(async () => files.close());
      await pool.end();
    },
  };
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

/** Lends connections to the tables, which are migrated first. */
function connecting({ pool, store, migrations }: ArtefactOptions & { pool: SharedPool }) {
  const schema = schemaOf(store);
  let migrated: Promise<void> | undefined;
  return async <Result>(
    work: (tables: ArtefactTables) => Promise<Result>,
    { isPatient = true }: { isPatient?: boolean } = {},
  ): Promise<Result> => {
    migrated ??= migratePostgres({ pool, store, schema, steps: migrations.postgres });
    await migrated.catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    const client = isPatient ? await pool.connect() : await pool.pool.connect();
    return await releasing(client, () => work({ client, schema }));
  };
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

async function allNames({ client, schema }: ArtefactTables): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${schema}.artefacts`);
  return rows.map(({ name }) => name).toSorted();
}

type Files = ReturnType<typeof revisionFiles>;

/** The newest revision of an artefact, as a file; undefined if there is none. */
async function newestFile(
  options: ArtefactOptions & { tables: ArtefactTables; files: Files; name: string },
): Promise<Revision | undefined> {
  const { tables, files, name, migrations } = options;
  const { client, schema } = tables;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { rows } = await client.query<Revision>(
      `SELECT number, artefacts.revision, hash FROM ${schema}.artefacts
       JOIN ${schema}.revisions ON artefact = number AND revisions.revision = artefacts.revision
       WHERE name = $1`,
      [name],
    );
    const [newest] = rows;
    if (!newest || existsSync(files.path(newest))) return newest;
    const to = files.scratch();
    try {
      // One that is pruned meanwhile is followed by newer ones.
      if (!(await fetchRevision(tables, { ...newest, to, like: files.like(newest) }))) continue;
      openDatabase({ file: to, migrations: migrations.sqlite, use: "draft" }).close();
      files.take(to, newest);
      return newest;
    } finally {
      rmSync(to, { force: true });
    }
  }
  throw new StorageFailed({
    file: databaseName(options.url),
    problem: `the newest revision of ${name} is not whole`,
    hint: "Restore the database from a copy, or remove it and import it again",
  });
}

/** What a change has led to. */
interface Changed<Result> {
  result: Result;
  /** The revisions of the changed artefacts now, and of those that turned out to stay as they are. */
  newest: { name: string; revision: Revision | undefined }[];
}

/** What became of a change before it is tried again. */
interface Before<Result> {
  tries: number;
  /** What was sent, maybe without a confirmation because the connection was lost. */
  sent?: { result: Result; hashes: string[] };
}

/** Tries a change until it is published, or was found to be so. */
async function persisting<Result>(
  names: readonly string[],
  pool: SharedPool,
  attempt: (before: Before<Result>) => Promise<Changed<Result> | undefined>,
): Promise<Changed<Result>> {
  const before: Before<Result> = { tries: 0 };
  for (; before.tries < TRIES; before.tries += 1) {
    try {
      const done = await attempt(before);
      if (done) return done;
    } catch (error) {
      // A connection that could not be opened was waited for already.
      if (!isAway(error) || error instanceof StorageFailed) throw error;
    }
    await sleep(Math.random() * PAUSE_MS);
  }
  throw new StorageFailed({
    file: pool.name,
    problem: `${names.join(", ")}: others made changes, or the connection was lost, ${TRIES} times, and nothing was written`,
    hint: "Try again",
  });
}

/** A copy of a revision while it is changed. */
interface Draft {
  name: string;
  number: number;
  /** Undefined for a new artefact. */
  base: Revision | undefined;
  file: string;
  database: Database;
}

/** Does work on the newest revisions and publishes what it has changed; undefined if somebody else was faster. */
async function change<Result>(
  options: ArtefactOptions & {
    tables: ArtefactTables;
    files: Files;
    names: readonly string[];
    work: Work<Result>;
    before: Before<Result>;
  },
): Promise<Changed<Result> | undefined> {
  const { tables, files, names, work, before } = options;
  const { client, schema } = tables;
  const { sent } = before;
  if (sent && (await isPublished(tables, sent.hashes))) {
    const newest = [];
    for (const name of names)
      newest.push({ name, revision: await newestFile({ ...options, name }) });
    return { result: sent.result, newest };
  }
  await client.query("BEGIN");
  // Others may be faster once: from then on they wait, or a slow process would never have its turn.
  if (before.tries > 0)
    await client.query(
      `SELECT 1 FROM ${schema}.artefacts WHERE name = ANY($1) ORDER BY name FOR UPDATE`,
      [names],
    );
  const drafts: Draft[] = [];
  try {
    for (const name of names) drafts.push(await newDraft({ ...options, name }));
    const { result, changed } = doWork(drafts, work);
    const published = await publish(tables, changed);
    if (published)
      before.sent = { result, hashes: [...published.values()].map(({ hash }) => hash) };
    await client.query(published ? "COMMIT" : "ROLLBACK");
    if (!published) return undefined;
    for (const [{ file }, revision] of published) files.take(file, revision);
    const newest = drafts.map((draft) => ({
      name: draft.name,
      revision: published.get(draft) ?? draft.base,
    }));
    return { result, newest };
  } finally {
    for (const { database, file } of drafts) {
      if (database.open) database.close();
      rmSync(file, { force: true });
    }
  }
}

async function isPublished({ client, schema }: ArtefactTables, hashes: string[]) {
  const found = await client.query(`SELECT 1 FROM ${schema}.revisions WHERE hash = ANY($1)`, [
    hashes,
  ]);
  return found.rows.length > 0;
}

async function newDraft(
  options: ArtefactOptions & { tables: ArtefactTables; files: Files; name: string },
): Promise<Draft> {
  const { tables, files, migrations, name, prepare } = options;
  const base = await newestFile(options);
  const file = files.scratch();
  if (base) copyFileSync(files.path(base), file);
  const database = openDatabase({ file, migrations: migrations.sqlite, use: "draft" });
  const number = base?.number ?? (await nextNumber(tables));
  if (!base) prepare(database, number);
  return { name, number, base, file, database };
}

async function nextNumber({ client, schema }: ArtefactTables): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    "SELECT nextval(pg_get_serial_sequence($1, 'number')) AS number",
    [`${schema}.artefacts`],
  );
  return Number(rows[0]?.number);
}

/** Does work in a transaction on each draft; closes the drafts and returns those that it has changed. */
function doWork<Result>(
  drafts: readonly Draft[],
  work: Work<Result>,
): { result: Result; changed: Draft[] } {
  const before = new Map(drafts.map((draft) => [draft, changesOf(draft)]));
  for (const { database } of drafts) database.exec("BEGIN");
  const result = work((name) => {
    const draft = drafts.find((each) => each.name === name);
    if (!draft) throw new Error(`${name} is not among what is changed`);
    return draft.database;
  });
  for (const { database } of drafts) database.exec("COMMIT");
  const changed = drafts.filter((draft) => changesOf(draft) > (before.get(draft) ?? 0));
  for (const { database } of drafts) database.close();
  return { result, changed };
}

function changesOf({ database }: Draft): number {
  return Number(database.prepare("SELECT total_changes()").pluck().get());
}

/** Publishes drafts as the next revisions, in a transaction; undefined if one is not based on the newest. */
async function publish(
  tables: ArtefactTables,
  drafts: readonly Draft[],
): Promise<Map<Draft, Revision> | undefined> {
  const published = new Map<Draft, Revision>();
  for (const draft of drafts) {
    // Whoever else publishes waits here until this transaction is over, and then finds another revision.
    if (!(await compareAndSet(tables, draft))) return undefined;
    const { number, base, file } = draft;
    const revision = (base?.revision ?? 0) + 1;
    const hash = await storeRevision(tables, { number, revision, file });
    published.set(draft, { number, revision, hash });
  }
  return published;
}

async function compareAndSet({ client, schema }: ArtefactTables, { name, number, base }: Draft) {
  const { rowCount } =
    base === undefined
      ? await client.query(
          `INSERT INTO ${schema}.artefacts (number, name, revision) VALUES ($1, $2, 1)
           ON CONFLICT DO NOTHING`,
          [number, name],
        )
      : await client.query(
          `UPDATE ${schema}.artefacts SET revision = revision + 1 WHERE number = $1 AND revision = $2`,
          [number, base.revision],
        );
  return rowCount === 1;
}
